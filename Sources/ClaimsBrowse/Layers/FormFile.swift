// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTerminal

/// A file of a form: one that the record has, or one that is sent for it.
struct FormFile: Sendable {
    enum State: Equatable, Sendable {
        /// The record has it already; `submit` takes it away by the reference.
        case kept(reference: String)
        /// It goes from the record.
        case detached(reference: String)
        /// A path is typed.
        case typed
        case sending(SentFile.Number, sent: Int64, size: Int64)
        case sent(SentFile)
        case failed(String)
    }

    /// The path, or the name of a file that the record has.
    private(set) var line: EditedLine
    private(set) var state: State
    private(set) var problems: [FieldProblemText] = []

    /// The maximum size of a path, in bytes.
    static let maxBytes = 4096

    /// An entry for the path of one more file.
    static let empty = FormFile(line: EditedLine(), state: .typed)

    var isEmpty: Bool { state == .typed && line.text.isEmpty }

    /// The path without blanks around it, and without the quotes that a terminal puts around a file that is dropped
    /// on it.
    var path: String {
        var path = line.text[...]
        while path.first == " " { path.removeFirst() }
        while path.last == " " { path.removeLast() }
        if path.count > 1, let quote = path.first, quote == "'" || quote == "\"", path.last == quote {
            path = path.dropFirst().dropLast()
        }
        return String(path)
    }

    /// The name at the end of the path.
    var name: String { Paths.name(path) }

    init(line: EditedLine, state: State) {
        self.line = line
        self.state = state
    }

    /// Goes on to another state: the file is on its way, is there, or could not be sent.
    mutating func move(to state: State) { self.state = state }

    /// Shows what was found to be wrong with the files.
    mutating func show(_ problems: [FieldProblemText]) { self.problems = problems }

    /// Applies a key; false for a key that the entry does not use.
    ///
    /// - Parameter canDetach: whether files can be taken from a record.
    mutating func apply(_ key: Key, canDetach: Bool) -> Bool {
        switch (state, key) {
        case (.kept(let reference), .left), (.kept(let reference), .right), (.kept(let reference), .delete),
            (.kept(let reference), .character(" ")):
            if canDetach { state = .detached(reference: reference) }
            return true
        case (.detached(let reference), .left), (.detached(let reference), .right), (.detached(let reference), .delete),
            (.detached(let reference), .character(" ")):
            state = .kept(reference: reference)
            return true
        case (.kept, _), (.detached, _): return false
        case (.sending, _), (.sent, _):
            // Only the whole file can be taken back.
            switch key {
            case .backspace, .delete, .control("u"), .control("w"):
                self = .empty
                return true
            default: return false
            }
        case (.typed, _), (.failed, _): return edit(line.apply(key, maxBytes: Self.maxBytes))
        }
    }

    /// Inserts what was pasted.
    mutating func paste(_ text: String) {
        switch state {
        case .typed, .failed: _ = edit(line.insert(text, maxBytes: Self.maxBytes))
        case .kept, .detached, .sending, .sent: break
        }
    }

    private mutating func edit(_ result: EditedLine.Result) -> Bool {
        switch result {
        case .edited:
            state = .typed
            problems = []
            return true
        case .moved, .full: return true
        case .unhandled: return false
        }
    }
}
