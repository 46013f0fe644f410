// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsTerminal

/// A field of a form: what was typed or chosen, and what is wrong with it.
struct FormField: Sendable {
    enum Kind: Sendable {
        /// A text of one line.
        case line
        /// A text of several lines.
        case lines
        /// One of some codes, chosen with ← and →.
        case choice([WritableField.Choice])
    }

    /// The texts of the field, and the meaning of what is typed.
    private let field: WritableField
    let kind: Kind
    /// The value that the record has; null for none.
    private(set) var original: JSONValue = .null
    /// The text, of a field that is typed.
    private(set) var line = EditedLine()
    /// The index of the chosen code; nil for none.
    private(set) var choice: Int?
    /// The problems that were found with the value.
    private(set) var problems: [FieldProblemText] = []
    /// The value that the record has by now, as people read it; nil if it is still ``original``.
    private(set) var served: String?
    /// Whether the focus has left the field, so that its problems are shown.
    private(set) var isVisited = false
    private var isEdited = false

    /// The maximum size of a text, in bytes. The daemon's own bounds are lower.
    static let maxBytes = 64 << 10

    init(_ offered: OfferedField, of collection: CollectionDescription, _ context: LayerContext) {
        let time = LocalTime(zone: context.person.zone, now: context.moment.wall, messages: context.messages)
        self.init(offered, of: collection, time)
    }

    /// - Parameter time: the clock of the person, by which days are meant.
    init(_ offered: OfferedField, of collection: CollectionDescription, _ time: LocalTime) {
        field = WritableField(offered, of: collection, time)
        if !field.choices.isEmpty {
            kind = .choice(field.choices)
        } else if field.type == .bool {
            let (yes, no) = (time.messages.yes, time.messages.no)
            kind = .choice([.init(value: true, label: yes), .init(value: false, label: no)])
        } else {
            kind = field.hasLines ? .lines : .line
        }
    }

    var name: String { field.name }
    /// The title in the language of the person.
    var heading: String { field.heading }
    /// Its limits in a few words each, such as `at most 200 characters`.
    var limits: [String] { field.limits }
    /// Whether it has to have a value.
    var isRequired: Bool { field.isRequired || !field.isClearable }

    /// Fills the field with a value that a record has.
    mutating func fill(_ value: JSONValue) {
        original = value
        isEdited = false
        if case .choice(let choices) = kind {
            choice = choices.firstIndex { $0.value == value }
        } else {
            line = EditedLine(field.text(of: value))
        }
    }

    /// Adopts the value that the record has by now; a value that was typed stays.
    mutating func adopt(_ value: JSONValue, _ words: String) {
        guard isChanged else {
            fill(value)
            return
        }
        original = value
        served = words
    }

    /// The value of a member of a record, as a form reads it.
    static func value(of value: AnswerValue?) -> JSONValue {
        value.flatMap { try? JSONValue.parse($0.source) } ?? .null
    }

    /// Shows the problems of the field from now on: the focus has left it.
    mutating func visit() { isVisited = true }

    /// Shows what was found to be wrong with the value.
    mutating func show(_ problems: [FieldProblemText]) { self.problems = problems }

    /// The value as it stands in the form; nil for a text that is to be JSON and is none.
    var value: JSONValue? {
        if case .choice(let choices) = kind { return choice.map { choices[$0].value } ?? .null }
        // A time that nobody has changed stands there by the person's clocks.
        if !isEdited, field.isTime { return original }
        do throws(TypedMistake) {
            return try field.value(typed: line.text)
        } catch {
            if case .time = error { return .string(line.text) }
            return nil
        }
    }

    /// Whether it has another value than the record.
    var isChanged: Bool { isEdited && value != original }

    /// The problem that can be seen without the daemon: a text that is to be JSON or a time, and is none.
    var localProblem: FieldProblemText? {
        if case .choice = kind { return nil }
        if !isEdited, field.isTime { return nil }
        do throws(TypedMistake) {
            _ = try field.value(typed: line.text)
            return nil
        } catch {
            if case .time = error { return field.problem(error, hint: nil) }
            return field.problem(error, hint: #"["7"], {"a": 1}, "a""#)
        }
    }

    // MARK: - Editing

    /// Replaces the whole value by a text: of a choice by a number from 1, a code or a label. An empty text clears it.
    ///
    /// - Returns: false, and changes nothing, where the text means none of the codes.
    mutating func replace(with text: String) -> Bool {
        if case .choice(let choices) = kind {
            var index: Int?
            if !text.isEmpty {
                index = choices.index(named: text)
                if index == nil { return false }
            }
            choice = index
        } else {
            line = EditedLine(text)
        }
        isEdited = true
        problems = []
        return true
    }

    /// Applies a key; false for a key that the field does not use.
    mutating func apply(_ key: Key) -> Bool {
        switch kind {
        case .choice(let choices): return choose(key, among: choices)
        case .lines:
            if key == .enter { return edit(line.insert("\n", maxBytes: Self.maxBytes)) }
            if key == .up || key == .down { return line.moveLine(by: key == .up ? -1 : 1) }
            return edit(line.apply(key, maxBytes: Self.maxBytes))
        case .line: return edit(line.apply(key, maxBytes: Self.maxBytes))
        }
    }

    /// Inserts what was pasted.
    mutating func paste(_ text: String) {
        if case .choice = kind { return }
        _ = edit(line.insert(text, maxBytes: Self.maxBytes))
    }

    private mutating func edit(_ result: EditedLine.Result) -> Bool {
        switch result {
        case .edited:
            isEdited = true
            // The problems were those of the text before.
            problems = []
            return true
        case .moved, .full: return true
        case .unhandled: return false
        }
    }

    private mutating func choose(_ key: Key, among choices: [WritableField.Choice]) -> Bool {
        // The index -1 stands for no value, where it may be missing.
        let lowest = isRequired ? 0 : -1
        let present = choice ?? -1
        var chosen = present
        switch key {
        case .right, .character(" "): chosen = present + 1 < choices.count ? present + 1 : lowest
        case .left: chosen = present > lowest ? present - 1 : choices.count - 1
        case .home: chosen = 0
        case .end: chosen = choices.count - 1
        case .backspace, .delete, .control("u"): chosen = lowest
        case .character(let scalar):
            // A letter goes to the next code that begins with it.
            let letter = String(Character(scalar)).lowercased()
            let order = choices.indices.map { (present + 1 + $0) % choices.count }
            guard let found = order.first(where: { choices[$0].label.lowercased().hasPrefix(letter) }) else {
                return true
            }
            chosen = found
        default: return false
        }
        isEdited = true
        problems = []
        choice = chosen < 0 ? nil : chosen
        return true
    }
}
