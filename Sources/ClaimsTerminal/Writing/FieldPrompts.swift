// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

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
    /// - Returns: the field with the value.
    /// - Throws: `declined` at the end of the input.
    func answered(_ offered: OfferedField) throws(CommandError) -> FormField {
        var field = FormField(WritableField(offered, of: description, time))
        var question = field.heading
        if !field.choices.isEmpty {
            console.report("\(field.heading):")
            for (index, choice) in field.choices.enumerated() { console.report("  \(index + 1)  \(choice.text)") }
            question = messages.numberOrCode
        } else if !field.limits.isEmpty {
            question += " (\(field.limits.joined(separator: ", ")))"
        }
        while true {
            guard let answer = console.prompt(question + ": ") else { throw Self.declined }
            let text = answer.trimmingSpaces()
            if text.isEmpty { continue }
            guard field.answer(text) else {
                console.report(messages.noName(Escaping.line(text), among: field.choiceLabels), indent: 2)
                continue
            }
            guard let mistake = field.mistake else { return field }
            console.report(mistake.message(messages), indent: 2)
        }
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
