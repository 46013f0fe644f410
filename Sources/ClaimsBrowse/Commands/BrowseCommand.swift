// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsTerminal

/// Something that the model wants to be done. The loop does it, and none of it blocks the keys.
enum BrowseCommand: Sendable {
    case ask(BrowseRequest)
    /// The answer to a request is not wanted any more; it may still come, and is dropped by the loop.
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
    case attachment(collection: String, id: String, sha256: String, name: String)
}

/// The outcome of a command that is no request.
enum CommandOutcome: Sendable {
    /// The text was copied; `isShown` tells that the terminal may not have taken it, so that the notice shows it.
    case copied(String)
    case notCopied(String, reason: String)
    case opened(OpenTarget)
    case notOpened(OpenTarget, reason: String)
    case uploading(SentFile.Number, sent: Int64, size: Int64)
    case uploaded(SentFile.Number, SentFile)
    case notUploaded(SentFile.Number, reason: String)
}

/// A line that tells the outcome of what a person did.
struct Notice: Equatable, Sendable {
    enum Kind: Sendable {
        case done, news, wrong
    }

    var kind: Kind
    var text: String
}
