// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel

/// The fields of a record as a JSON5 text for an editor, and the values that come back. Pure.
///
/// Titles, limits and codes stand before each field as comments. A field whose line is taken away stays as it was.
struct EditorForm {
    private let title: String
    private let description: CollectionDescription
    private let fields: [OfferedField]
    private let time: LocalTime
    private var messages: Messages { time.messages }
    /// The values that the form begins with; null for absent ones.
    let original: JSONObject

    /// - Parameters:
    ///   - record: the record as it is served.
    ///   - fields: the fields that can be given, in their order.
    init(
        _ record: AnswerValue, id: String, _ description: CollectionDescription, fields: [OfferedField],
        time: LocalTime
    ) {
        self.time = time
        title = "\(description.singular) \(id)"
        self.description = description
        self.fields = fields
        var original = JSONObject()
        for field in fields {
            let value = record[field.name].flatMap { try? JSONValue.parse($0.source) }
            original[field.name] = value ?? .null
        }
        self.original = original
    }

    /// The text for the editor.
    ///
    /// - Parameters:
    ///   - values: the values of the fields; those of ``original`` at first.
    ///   - problems: what was wrong with them, told on top.
    func text(_ values: JSONObject, problems: [String] = []) -> String {
        var text = problems.map { "// ! \(Escaping.line($0))\n" }.joined()
        for line in messages.editorHelp(Escaping.line(title)) { text += "// \(line)\n" }
        text += "{\n"
        for field in fields {
            for line in comments(of: field) { text += "  // \(line)\n" }
            var writer = JSONWriter()
            shown(values[field.name] ?? .null, of: field.name).write(to: &writer)
            text += "  \(field.name): \(String(decoding: writer.bytes, as: UTF8.self)),\n"
        }
        return text + "}\n"
    }

    /// A moment by the person's clock; any other value as it is.
    private func shown(_ value: JSONValue, of name: String) -> JSONValue {
        guard let text = value.string else { return value }
        return .string(TypedTime.typed(text, of: description.column(name).type, time))
    }

    private func comments(of field: OfferedField) -> [String] {
        let column = description.column(field.name)
        var words =
            [Escaping.line(column.heading), column.type.rawValue] + field.limits.map(messages.text).map(Escaping.line)
        if column.type == .instant { words.append(messages.byYourClock) }
        if !field.isClearable { words.append(messages.word("required")) }
        var lines = [words.joined(separator: " · ")]
        for code in field.codes {
            let label = description.code(code, of: column)?.label ?? code
            lines.append("  " + Escaping.line(label == code ? code : "\(code): \(label)"))
        }
        return lines
    }

    /// The values of a text that was edited.
    ///
    /// - Returns: nil for a text without anything but comments and white space.
    /// - Throws: a sentence about what is wrong, with its line.
    func values(in text: String) throws(FormError) -> JSONObject? {
        if Self.isEmpty(text) { return nil }
        let root: JSON5Node
        do throws(JSON5Error) {
            root = try JSON5.parse(Array(text.utf8), file: "")
        } catch {
            throw FormError(line: error.line, message: .same(error.message))
        }
        guard case .object(let members) = root.value else {
            throw FormError(
                line: root.line,
                message: ErrorText(
                    en: "an object in braces is expected", pl: "oczekiwano obiektu w nawiasach klamrowych"))
        }
        var values = original
        for member in members {
            guard original[member.key] != nil else {
                let message = ErrorText(
                    en: "'\(member.key)' is no field that can be changed",
                    pl: "„\(member.key)” nie jest polem, które można zmienić")
                let near = Suggestion.question(member.key, among: fields.map(\.name))
                throw FormError(line: member.keyLine, message: near.map { message.joined("; ", $0) } ?? message)
            }
            guard let value = try? JSONValue.parse(member.node.text) else {
                throw FormError(
                    line: member.node.line,
                    message: ErrorText(
                        en: "'\(member.key)' has a number that JSON does not have",
                        pl: "„\(member.key)” ma liczbę, której nie ma w JSON-ie"))
            }
            values[member.key] = exact(value, of: member.key)
        }
        return values
    }

    /// The exact form of a time as people type it; any other value as it is.
    private func exact(_ value: JSONValue, of name: String) -> JSONValue {
        guard let text = value.string, value != original[name] else { return value }
        let type = description.column(name).type
        guard type == .date || type == .instant else { return value }
        return TypedTime.exact(text, of: type, in: time.zone, now: time.now).map { .string($0) } ?? value
    }

    /// The values that differ from those that the form began with.
    func changes(in values: JSONObject) -> JSONObject {
        JSONObject(values.members.filter { original[$0.key] != $0.value })
    }

    /// Whether the text has nothing but comments and white space.
    private static func isEmpty(_ text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).allSatisfy { line in
            let content = String(line).trimmingSpaces()
            return content.isEmpty || content.hasPrefix("//")
        }
    }
}

/// The reason why an edited text has no values.
struct FormError: Error, Equatable {
    /// The line that it is about, from 1.
    let line: Int
    /// The reason as a phrase.
    let message: ErrorText

    /// The reason with a line before it.
    func text(line: Int) -> ErrorText { ErrorText(en: "line \(line)", pl: "wiersz \(line)").joined(": ", message) }
}
