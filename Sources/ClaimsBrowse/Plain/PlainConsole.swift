// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsTerminal

/// The conversation of `browse --plain`: what is printed and what is asked, line by line.
final class PlainConsole {
    let context: CommandContext
    let messages: Messages
    /// The verbs of claimsctl, whose output and questions are part of the conversation.
    let verbs: InnerVerbs
    /// Whether input and output are a terminal: a prompt is shown there only.
    let isTerminal: Bool
    private let output: Output
    private let input: PlainInput
    private let zone: TimeZoneRules

    init(_ context: CommandContext) {
        self.context = context
        messages = Messages(context.language)
        let (input, output) = (PlainInput(), Output(descriptor: 1))
        let isTerminal = context.surroundings.isTerminal(0) && context.surroundings.isTerminal(1)
        (self.input, self.output, self.isTerminal) = (input, output, isTerminal)
        verbs = InnerVerbs(context, output: output) { Self.answer(input, output, isTerminal: isTerminal) }
        zone = context.surroundings.zone()
    }

    /// The clock of the person, as it is now.
    var time: LocalTime { LocalTime(zone: zone, now: context.surroundings.now(), messages: messages) }

    // MARK: - Lines in

    /// Waits for a line, for another descriptor, or for a time of the monotonic clock.
    func next(or descriptor: Int32?, before deadline: UInt64?) -> PlainInput.Arrival {
        input.next(or: descriptor, before: deadline)
    }

    /// The answer to a question; nil at the end of the input.
    func answer(to question: String) -> String? {
        let lines = PlainLine.trimmed(question[...]).split(separator: "\n").map { fitted(String($0)) }
        write(lines.joined(separator: "\n") + (isTerminal ? " " : ""))
        return Self.answer(input, output, isTerminal: isTerminal)
    }

    /// The answer to a question that was written without a newline; nil at the end of the input.
    private static func answer(_ input: PlainInput, _ output: Output, isTerminal: Bool) -> String? {
        // A program that answers reads whole lines. On a terminal the line end is typed.
        if !isTerminal { try? output.write("\n") }
        try? output.flush()
        let line = input.line()
        if isTerminal, line == nil { try? output.write("\n") }
        return line
    }

    /// Whether the answer to a question is yes; the end of the input is no.
    func confirms(_ question: String) -> Bool {
        answer(to: messages.confirm(question)).map(messages.isYes) ?? false
    }

    /// Lists titles by numbers and asks for one; nil for none.
    func chosen(among titles: [String]) -> Int? {
        for (index, title) in titles.enumerated() { print("\(index + 1). \(title)") }
        guard let answer = answer(to: "\(messages.choose): "), !answer.isEmpty else { return nil }
        guard let number = Int(answer), titles.indices.contains(number - 1) else {
            print(messages.noNumber(Escaping.line(answer)))
            return nil
        }
        return number - 1
    }

    // MARK: - Lines out

    /// Prints a line; on a terminal it is broken between words.
    func print(_ line: String) { write(fitted(line) + "\n") }

    func print(_ lines: [String]) { for line in lines { print(line) } }

    /// Prints a value on one line, as JSON, so that it can be used elsewhere.
    func print(json value: AnswerValue) {
        write(String(decoding: JSONLayout.terminalSafe(Array(value.source.utf8)), as: UTF8.self) + "\n")
    }

    /// Shows that a line can be typed.
    func prompt() { if isTerminal { write("> ") } }

    func write(_ text: String) { try? output.write(text) }

    /// Sends what was printed; false if its reader has gone.
    @discardableResult func flush() -> Bool {
        do throws(OutputError) {
            try output.flush()
            return true
        } catch {
            return false
        }
    }

    private func fitted(_ line: String) -> String {
        guard isTerminal, DisplayWidth.cells(of: line) > context.surroundings.width else { return line }
        return Fitting.hang(line, to: max(20, context.surroundings.width), indent: 2)
    }
}
