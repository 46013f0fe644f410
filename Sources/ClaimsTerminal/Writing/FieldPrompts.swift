// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform

/// Asks a person on a terminal for values and files, one after the other.
struct FieldPrompts {
    private let console: Console
    private let description: CollectionDescription
    private let time: LocalTime
    private var messages: Messages { time.messages }

    init(_ console: Console, _ description: CollectionDescription, _ time: LocalTime) {
        self.console = console
        self.time = time
        self.description = description
    }

    /// Asks for the value of a field until there is one.
    ///
    /// - Throws: `declined` at the end of the input.
    func value(of field: OfferedField) throws(CommandError) -> JSONValue {
        let column = description.column(field.name)
        let heading = Escaping.line(column.heading)
        var question = heading
        if !field.codes.isEmpty {
            console.report("\(heading):")
            for (index, code) in field.codes.enumerated() {
                let label = description.code(code, of: column)?.label ?? code
                console.report("  \(index + 1)  \(Escaping.line(label == code ? code : "\(label) (\(code))"))")
            }
            question = messages.numberOrCode
        } else if !field.limits.isEmpty {
            question += " (\(field.limits.map(messages.text).map(Escaping.line).joined(separator: ", ")))"
        }
        while true {
            guard let answer = console.prompt(question + ": ") else { throw Self.declined }
            let text = answer.trimmingSpaces()
            if text.isEmpty { continue }
            if !field.codes.isEmpty {
                if let code = code(text, of: field, column) { return .string(code) }
                let labels = field.codes.map { Escaping.line(description.code($0, of: column)?.label ?? $0) }
                console.report(
                    messages.noName(Escaping.line(text), among: labels.joined(separator: ", ")), indent: 2)
                continue
            }
            do throws(TypedMistake) {
                return try column.type.value(typed: text, time)
            } catch {
                console.report(error.message(messages), indent: 2)
            }
        }
    }

    /// The code that a number from 1, a code or a label means; nil for none.
    private func code(_ text: String, of field: OfferedField, _ column: FieldDescription) -> String? {
        if let number = Int(text), field.codes.indices.contains(number - 1) { return field.codes[number - 1] }
        if field.codes.contains(text) { return text }
        return field.codes.first { description.code($0, of: column)?.label.lowercased() == text.lowercased() }
    }

    /// Asks for the path of a file until there is one that can be read.
    ///
    /// - Throws: `declined` at the end of the input.
    func file(_ limits: FileLimits, number: Int) throws(CommandError) -> String {
        let name = limits.max > 1 ? messages.file(number) : messages.file
        while true {
            guard let answer = console.prompt("\(name) (\(limits.words(messages))): ") else { throw Self.declined }
            let path = answer.trimmingSpaces()
            if path.isEmpty { continue }
            if Files.isRegular(path) { return path }
            console.report(messages.noSuchFile, indent: 2)
        }
    }

    /// The end of a command whose user has said no, or nothing more.
    static let declined = CommandError.declined(en: "nothing was submitted", pl: "niczego nie wysłano")
}

extension Console {
    /// A line on standard error, which belongs to a question.
    func report(_ text: String) {
        try? errors.write(text + "\n")
    }

    /// A line on standard error behind some blanks, broken between words.
    func report(_ text: String, indent: Int) {
        let blanks = String(repeating: " ", count: indent)
        let text = errorWidth.map { Fitting.hang(text, to: max(20, $0 - indent), indent: indent + 2) } ?? text
        try? errors.write(blanks + text + "\n")
    }
}
