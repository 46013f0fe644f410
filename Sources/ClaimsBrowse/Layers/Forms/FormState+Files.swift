// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTerminal

// The files of a form: each is sent as soon as its path is left, and submit then names it.

extension FormState {
    /// Sends the file whose path was typed there.
    mutating func sendFile(at index: Int, _ context: inout LayerContext) -> LayerOutcome {
        guard files.indices.contains(index) else { return .stay }
        switch files[index].state {
        case .typed where !files[index].path.isEmpty: break
        case .typed, .failed, .kept, .detached, .sending, .sent: return .stay
        }
        guard context.isConnected else {
            files[index].state = .failed(context.messages.notConnected)
            return .stay
        }
        let number = context.requests.file()
        let path = files[index].path
        files[index].state = .sending(number, sent: 0, size: 0)
        addEmptyFile()
        return .commands(.upload(number, path: path, collection: collection))
    }

    /// Takes the progress or the outcome of an upload.
    mutating func take(_ outcome: CommandOutcome, _ context: inout LayerContext) -> LayerOutcome {
        let number: SentFile.Number
        let state: FormFile.State
        switch outcome {
        case .uploading(let sending, let sent, let size):
            (number, state) = (sending, .sending(sending, sent: sent, size: size))
        case .uploaded(let sent, let file): (number, state) = (sent, .sent(file))
        case .notUploaded(let failed, let reason): (number, state) = (failed, .failed(reason))
        case .copied, .notCopied, .opened, .notOpened: return .unhandled
        }
        let index = files.firstIndex { file in
            if case .sending(number, _, _) = file.state { true } else { false }
        }
        guard let index else { return .unhandled }
        files[index].state = state
        guard isPreviewDue, !isSending else { return .stay }
        isPreviewDue = false
        guard case .failed(let reason) = state else { return preview(&context) }
        focus = fields.count + index
        return .notice(Escaping.line("\(files[index].name): \(reason)"), .wrong)
    }

    /// Whether a file is still on its way to the daemon.
    var isSending: Bool {
        files.contains { file in
            if case .sending = file.state { true } else { false }
        }
    }

    /// The uploads that submit attaches.
    var uploads: [String] {
        files.compactMap { file in
            if case .sent(let sent) = file.state { sent.upload } else { nil }
        }
    }

    /// The files that the record loses, as `submit` takes them.
    var detached: [String] {
        files.compactMap { file in
            if case .detached(let reference) = file.state { reference } else { nil }
        }
    }
}
