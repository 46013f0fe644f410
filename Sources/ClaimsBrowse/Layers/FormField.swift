// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
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
    /// The time zone and the moment in which days and words such as `tomorrow` are meant.
    private let time: LocalTime

    /// The maximum size of a text, in bytes. The daemon's own bounds are lower.
    static let maxBytes = 64 << 10

    init(_ offered: OfferedField, of collection: CollectionDescription, _ context: LayerContext) {
        self.init(offered, of: collection, context.messages, zone: context.person.zone, now: context.moment.wall)
    }

    /// - Parameters:
    ///   - zone: the time zone in which days without a zone are meant.
    ///   - now: the present time, in milliseconds since 1970, from which `tomorrow` and `+30d` count.
    init(
        _ offered: OfferedField, of collection: CollectionDescription, _ messages: Messages, zone: TimeZoneRules,
        now: Int64
    ) {
        time = LocalTime(zone: zone, now: now, messages: messages)
        let column = collection.column(offered.name)
        name = offered.name
        heading = Escaping.line(column.heading)
        type = column.type
        isRequired = offered.isRequired || !offered.isClearable
        limits = offered.limits.map { messages.limit($0) }
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

    /// Fills the field with a value that a record has.
    mutating func fill(_ value: JSONValue) {
        original = value
        isEdited = false
        if case .choice(let choices) = kind {
            choice = choices.firstIndex { $0.value == value }
        } else {
            let json = value.isNull ? "" : String(decoding: value.compactBytes, as: UTF8.self)
            line = EditedLine(value.string.map { TypedTime.typed($0, of: type, time) } ?? value.number ?? json)
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
        if !isEdited, isTime { return original }
        return try? type.value(of: exactTime ?? line.text)
    }

    private var isTime: Bool { type == .date || type == .instant }

    /// The exact form of a time that was typed; nil for other texts and other fields.
    private var exactTime: String? {
        guard isEdited, isTime else { return nil }
        return TypedTime.exact(line.text, of: type, in: time.zone, now: time.now)
    }

    /// Whether it has another value than the record.
    var isChanged: Bool { isEdited && value != original }

    /// The problem that can be seen without the daemon: a text that is to be JSON or a time, and is none.
    func localProblem(_ messages: Messages) -> FieldProblemText? {
        if isEdited, !line.text.isEmpty, isTime, exactTime == nil {
            return FieldProblemText(
                field: name, kind: FieldProblemKind.type.rawValue, message: messages.noTime(type))
        }
        do throws(JSONError) {
            if case .choice = kind { return nil }
            _ = try type.value(of: line.text)
            return nil
        } catch {
            return FieldProblemText(
                field: name, kind: FieldProblemKind.type.rawValue, message: messages.notJSON(error),
                hint: #"["7"], {"a": 1}, "a""#)
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
                let named = choices.firstIndex { $0.value == .string(text) }
                let labelled = choices.firstIndex { $0.label.lowercased() == text.lowercased() }
                let numbered = Int(text).flatMap { choices.indices.contains($0 - 1) ? $0 - 1 : nil }
                index = numbered ?? named ?? labelled
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

    private mutating func choose(_ key: Key, among choices: [Choice]) -> Bool {
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
