// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsTerminal

/// The form of an action, asked field by field: questions, and what answers to them mean; pure.
struct PlainForm {
    /// The outcome of an answer.
    enum Outcome: Equatable {
        case taken
        /// The answer will not do; the reason.
        case again(String)
        /// The form is left.
        case left
    }

    private let description: CollectionDescription
    /// The record that is changed; nil where one is made.
    private var record: AnswerValue?
    private let messages: Messages
    /// The fields that are asked for, in their order.
    let fields: [OfferedField]
    /// The values that were given, without those that the record has already.
    private(set) var values = JSONObject()

    /// The answer that leaves the form.
    private static let leaving = "."
    /// The answer that clears a field.
    private static let clearing = "-"

    init(_ action: OfferedAction, of description: CollectionDescription, record: AnswerValue?, _ messages: Messages) {
        self.description = description
        self.record = record
        self.messages = messages
        fields = action.fields.filter { $0.name != description.writes?.fileField }
    }

    /// The values as the record had them when the form began, of the fields that were given.
    var expected: JSONObject {
        var expected = JSONObject()
        for member in values.members { expected[member.key] = current(member.key) ?? .null }
        return expected
    }

    /// Takes the record as it is now for the one that is changed.
    mutating func rebase(on record: AnswerValue) { self.record = record }

    /// The question for a field; it ends without a newline.
    func question(for field: OfferedField) -> String {
        let column = description.column(field.name)
        var notes = field.isRequired ? [messages.required] : []
        notes += field.limits.map { Escaping.line(messages.text($0)) }
        if let value = record?[utf8: column.key] {
            let text = description.code(value.text, of: column)?.label ?? value.text
            notes.append(messages.now(Escaping.line(text)))
        }
        let heading = Escaping.line(column.heading) + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
        guard !field.codes.isEmpty else { return heading + ": " }
        var lines = [heading]
        for (index, code) in field.codes.enumerated() {
            let label = description.code(code, of: column)?.label ?? code
            lines.append("  \(index + 1). \(Escaping.line(label == code ? code : "\(label) (\(code))"))")
        }
        return lines.joined(separator: "\n") + "\n\(messages.numberOrCode): "
    }

    /// Takes the answer for a field.
    mutating func take(_ answer: String, for field: OfferedField) -> Outcome {
        let text = Self.trimmed(answer)
        let column = description.column(field.name)
        if text == Self.leaving { return .left }
        if text.isEmpty {
            let hasValue = values[field.name].map { !$0.isNull } ?? (current(field.name) != nil)
            return field.isRequired && !hasValue ? .again(messages.isRequired) : .taken
        }
        if text == Self.clearing {
            if field.isRequired { return .again(messages.isRequired) }
            set(.null, for: field.name)
            return .taken
        }
        if !field.codes.isEmpty {
            set(.string(code(text, of: field, column)), for: field.name)
            return .taken
        }
        if column.type == .bool, [messages.yes, messages.no].contains(text.lowercased()) {
            set(.bool(text.lowercased() == messages.yes), for: field.name)
            return .taken
        }
        do throws(JSONError) {
            set(try column.type.value(of: text), for: field.name)
            return .taken
        } catch {
            return .again(messages.notJSON(messages.text(error.text)))
        }
    }

    /// The code that a number, a code or a label means. The daemon refuses what is none.
    private func code(_ text: String, of field: OfferedField, _ column: FieldDescription) -> String {
        if let number = Int(text), field.codes.indices.contains(number - 1) { return field.codes[number - 1] }
        if field.codes.contains(text) { return text }
        let labelled = field.codes.first { description.code($0, of: column)?.label.lowercased() == text.lowercased() }
        return labelled ?? text
    }

    private mutating func set(_ value: JSONValue, for name: String) {
        let current = current(name)
        let isSame = value.isNull ? current == nil : current == value
        values.members.removeAll { $0.key == name }
        if !isSame { values[name] = value }
    }

    private func current(_ name: String) -> JSONValue? {
        guard let value = record?[name], value.kind != .null else { return nil }
        return try? JSONValue.parse(value.source)
    }

    private static func trimmed(_ text: String) -> String {
        var text = text[...].drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
