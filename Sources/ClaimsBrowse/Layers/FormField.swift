// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsTerminal

/// A field of a form: what was typed or chosen, and what is wrong with it.
struct FormField: Sendable {
    /// A code that can be chosen.
    struct Choice: Equatable, Sendable {
        let value: JSONValue
        let label: String
    }

    enum Kind: Sendable {
        /// A text of one line.
        case line
        /// A text of several lines.
        case lines
        /// One of some codes, chosen with ← and →.
        case choice([Choice])
    }

    let name: String
    /// The title in the language of the person.
    let heading: String
    let type: FieldType
    let kind: Kind
    /// Whether it has to have a value.
    let isRequired: Bool
    /// Its limits in a few words each, such as `at most 200 characters`.
    let limits: [String]
    /// The value that the record had as the form opened; null for none.
    var original: JSONValue
    /// The text, of a field that is typed.
    var line = EditedLine()
    /// The index of the chosen code; nil for none.
    var choice: Int?
    /// The problems that the daemon found with the value.
    var problems: [FieldProblemText] = []
    /// The value that somebody else has given it meanwhile, as people read it; nil where none has.
    var served: String?
    /// Whether the person has left the field, so that its problems are told.
    var isVisited = false

    /// The maximum size of a text, in bytes. The daemon's own bounds are lower.
    static let maxBytes = 64 << 10

    init(_ offered: OfferedField, of collection: CollectionDescription, _ messages: Messages) {
        let column = collection.column(offered.name)
        name = offered.name
        heading = Escaping.line(column.heading)
        type = column.type
        isRequired = offered.isRequired || !offered.isClearable
        limits = offered.limits
        original = .null
        if !offered.codes.isEmpty {
            kind = .choice(
                offered.codes.map { code in
                    let label = collection.code(code, of: column)?.label ?? code
                    return Choice(value: .string(code), label: Escaping.line(label))
                })
        } else if column.type == .bool {
            kind = .choice([Choice(value: true, label: messages.yes), Choice(value: false, label: messages.no)])
        } else {
            kind = column.type == .json || column.lines > 1 ? .lines : .line
        }
    }
}

/// A file of a form.
struct FormFile: Sendable {
    enum State: Equatable, Sendable {
        /// The record has it already.
        case kept(sha256: String)
        /// It goes from the record.
        case detached(sha256: String)
        /// A path is typed.
        case typed
        case sending(SentFile.Number, sent: Int64, size: Int64)
        case sent(SentFile)
        case failed(String)
    }

    /// The path, or the name of a file that the record has.
    var line: EditedLine
    var state: State
    var problems: [FieldProblemText] = []
}
