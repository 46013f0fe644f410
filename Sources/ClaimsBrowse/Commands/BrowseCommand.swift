// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsTerminal

/// An action that the loop performs for the model. None of them blocks the keys.
enum BrowseCommand: Sendable {
    case ask(BrowseRequest)
    /// Cancels a request. The loop drops an answer that comes all the same.
    case cancel(BrowseRequest.Tag)
    /// Copies text to the clipboard; answered by `CommandOutcome.copied`.
    case copy(String)
    /// Opens an address, or a file that is fetched first; answered by `CommandOutcome.opened`.
    case open(OpenTarget)
    /// Sends a file for a form; answered by `uploading` and `uploaded`.
    case upload(SentFile.Number, path: String, collection: String)
    /// Draws everything anew (^L).
    case redraw
    /// Stops like any program at ^Z.
    case suspend
    case mouse(isOn: Bool)
    case quit(ExitCode)
}

/// An address or file that is to be opened.
enum OpenTarget: Hashable, Sendable {
    /// An http or https address.
    case address(String)
    /// A file of a record: fetched into a private copy first.
    case attachment(collection: String, id: String, file: RecordFile)
}

/// The outcome of a command that is no request.
enum CommandOutcome: Sendable {
    /// The text was sent to the terminal, which may ignore it; so the notice repeats the text.
    case copied(String)
    case notCopied(String, reason: String)
    case opened(OpenTarget)
    case notOpened(OpenTarget, reason: String)
    case uploading(SentFile.Number, sent: Int64, size: Int64)
    case uploaded(SentFile.Number, SentFile)
    case notUploaded(SentFile.Number, reason: String)
}

/// The line above the keys: the outcome of an action, or news.
struct Notice: Equatable, Sendable {
    enum Kind: Sendable {
        case done, news, wrong
    }

    var kind: Kind
    var text: String
}

/// A file that a form has sent to the daemon.
struct SentFile: Hashable, Sendable {
    /// The number of an upload in this run.
    struct Number: Hashable, Sendable {
        let value: Int
    }

    /// The upload's name, which submit attaches.
    let upload: String
    let name: String
    let type: String
    let size: Int64
}
