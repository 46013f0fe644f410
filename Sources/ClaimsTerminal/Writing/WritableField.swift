// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

package import ClaimsJSON
package import ClaimsModel
import ClaimsProtocol

/// A field that a person can give a value: its texts, the value that a typed text means, and the text of a value.
///
/// A ``FormField`` keeps what was entered in it. Pure.
///
/// ```swift
/// let field = WritableField(offered, of: collection, time)
/// if let index = field.choices.index(named: "2") { value = field.choices[index].value }
/// do { value = try field.value(typed: "tomorrow") } catch { report(error.message(messages)) }
/// ```
package struct WritableField: Sendable {
    /// A value that can be chosen.
    package struct Choice: Equatable, Sendable {
        package let value: JSONValue
        /// The text for people, safe for a terminal.
        package let label: String

        package init(value: JSONValue, label: String) {
            self.value = value
            self.label = label
        }

        /// The code, safe for a terminal; the label of a value that is no code.
        package var code: String { value.string.map(Escaping.line) ?? label }

        /// The label with the code after it, where that differs.
        package var text: String { label == code ? label : "\(label) (\(code))" }

        fileprivate static func bools(_ messages: Messages) -> [Choice] {
            [Choice(value: true, label: messages.yes), Choice(value: false, label: messages.no)]
        }
    }

    package let name: String
    /// The title in the language of the person, safe for a terminal.
    package let heading: String
    package let type: FieldType
    /// Whether a new record has to have a value.
    package let isRequired: Bool
    /// Whether the value may be cleared.
    package let isClearable: Bool
    /// The limits in a few words each, such as `at most 200 characters`, safe for a terminal.
    package let limits: [String]
    /// The values of which one is chosen: the codes of the field's vocabulary; empty for a field that is typed.
    package let choices: [Choice]
    /// Whether the value is a text of several lines.
    package let hasLines: Bool
    /// The clock of the person, by which days and words such as `tomorrow` are meant.
    private let time: LocalTime

    /// - Parameter choosesBools: whether yes and no are choices; else they are typed.
    package init(
        _ offered: OfferedField, of collection: CollectionDescription, choosesBools: Bool = false, _ time: LocalTime
    ) {
        let column = collection.column(offered.name)
        name = offered.name
        heading = Escaping.line(column.heading)
        type = column.type
        isRequired = offered.isRequired
        isClearable = offered.isClearable
        limits = offered.limits.map { Escaping.line(time.messages.text($0)) }
        let codes = offered.codes.map { code in
            Choice(
                value: .string(code), label: Escaping.line(collection.code(code, of: column)?.label ?? code)
            )
        }
        let isChosen = choosesBools && column.type == .bool && codes.isEmpty
        choices = isChosen ? Choice.bools(time.messages) : codes
        hasLines = column.type == .json || column.lines > 1
        self.time = time
    }

    /// A field that a command line names, whose rules only the daemon knows.
    init(_ column: FieldDescription, _ time: LocalTime) {
        name = column.name
        heading = Escaping.line(column.heading)
        type = column.type
        (isRequired, isClearable) = (false, true)
        (limits, choices) = ([], [])
        hasLines = column.type == .json || column.lines > 1
        self.time = time
    }

    /// Whether the value is a day or a moment.
    package var isTime: Bool { type == .date || type == .instant }

    /// The value that a typed text means; an empty text clears. Days and moments are those that people type, as in
    /// filters: `+30d`, `tomorrow`.
    package func value(typed text: String) throws(TypedMistake) -> JSONValue {
        if !text.isEmpty, isTime {
            guard let exact = TypedTime.exact(text, of: type, in: time.zone, now: time.now) else {
                throw .time(type)
            }
            return .string(exact)
        }
        do throws(JSONError) { return try type.value(of: text) } catch { throw .json(error) }
    }

    /// The exact form of a day or a moment that is typed in JSON; any other value as it is.
    func exact(_ value: JSONValue) -> JSONValue {
        guard isTime, let text = value.string else { return value }
        return TypedTime.exact(text, of: type, in: time.zone, now: time.now).map { .string($0) }
            ?? value
    }

    /// The value as a person may change it: a moment by the person's clock.
    func shown(_ value: JSONValue) -> JSONValue {
        value.string.map { .string(TypedTime.typed($0, of: type, time)) } ?? value
    }

    /// The text of a value as a person may change it; empty for none.
    package func text(of value: JSONValue) -> String {
        let shown = shown(value)
        if shown.isNull { return "" }
        // A text within JSON has its quotes: without them it would not be read as JSON again.
        if type != .json, let text = shown.string ?? shown.number { return text }
        return String(decoding: shown.compactBytes, as: UTF8.self)
    }

    /// The problem of a typed text that means no value.
    ///
    /// - Parameter hint: what would do.
    package func problem(_ mistake: TypedMistake, hint: String?) -> FieldProblemText {
        FieldProblemText(
            field: name, kind: FieldProblemKind.type.rawValue, message: mistake.message(time.messages),
            hint: hint)
    }
}

extension [WritableField.Choice] {
    /// The index of the choice that a number from 1, a code or a label means; nil for none.
    package func index(named text: String) -> Int? {
        if let number = Int(text), indices.contains(number - 1) { return number - 1 }
        return firstIndex { $0.value == .string(text) }
            ?? firstIndex { $0.label.lowercased() == text.lowercased() }
    }
}

/// The reason why a text that people type stands for no value of a field. The daemon is not asked: it knows only the exact
/// form of a day or a moment.
package enum TypedMistake: Error {
    case json(JSONError)
    case time(FieldType)

    package func message(_ messages: Messages) -> String {
        switch self {
        case .json(let error): messages.text(.notJSON(error))
        case .time(let type): messages.noTime(type)
        }
    }
}

extension FieldType {
    /// The value that a text stands for in a field of this type; an empty text clears. The daemon refuses what does not
    /// fit.
    ///
    /// - Throws: `JSONError` for a field of JSON whose text is none.
    fileprivate func value(of text: String) throws(JSONError) -> JSONValue {
        if text.isEmpty { return .null }
        switch self {
        case .json: return try JSONValue.parse(text)
        case .integer, .decimal:
            guard let value = try? JSONValue.parse(text), value.number != nil else {
                return .string(text)
            }
            return value
        case .bool:
            switch text.lowercased() {
            case "true", "yes": return true
            case "false", "no": return false
            default: return .string(text)
            }
        case .id, .text, .enum, .instant, .date, .url: return .string(text)
        }
    }
}
