// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Standard output and standard error of one run, and what is known of the terminal behind them.
final class Console {
    let output: Output
    let errors: Output
    /// Standard output is a terminal.
    let isTerminal: Bool
    /// Standard output takes colours.
    let isColored: Bool
    /// Standard error takes colours.
    let areErrorsColored: Bool
    /// Standard error is a terminal.
    let isErrorTerminal: Bool
    private let surroundings: Surroundings
    private let paged: PagedOutput

    /// - Parameters:
    ///   - isPaged: text for people may go through a pager.
    ///   - hasLongLines: whether its lines may be longer than the terminal.
    init(
        _ surroundings: Surroundings, output: Output, errors: Output, color: ColorMode, isPaged: Bool,
        hasLongLines: Bool = false
    ) {
        self.surroundings = surroundings
        self.output = output
        self.errors = errors
        isTerminal = surroundings.isTerminal(1)
        isErrorTerminal = surroundings.isTerminal(2)
        isColored = Self.wantsColor(color, isTerminal: isTerminal, surroundings)
        areErrorsColored = Self.wantsColor(color, isTerminal: isErrorTerminal, surroundings)
        paged = PagedOutput(
            output, surroundings, isInteractive: isTerminal && isPaged && surroundings.isTerminal(0),
            hasLongLines: hasLongLines)
    }

    /// Colour only on a terminal, and not where NO_COLOR is set (no-color.org); what is asked for goes before both.
    private static func wantsColor(_ mode: ColorMode, isTerminal: Bool, _ surroundings: Surroundings) -> Bool {
        switch mode {
        case .always: return true
        case .never: return false
        case .auto:
            if let value = surroundings.environment("NO_COLOR"), !value.isEmpty { return false }
            return isTerminal && !isDumb(surroundings)
        }
    }

    /// Whether the terminal can do nothing but print lines.
    private static func isDumb(_ surroundings: Surroundings) -> Bool { surroundings.environment("TERM") == "dumb" }

    /// Whether standard output is a terminal on which the cursor can be moved.
    var canMoveCursor: Bool { isTerminal && !Self.isDumb(surroundings) }

    /// The way in which progress is told on standard error.
    var progress: ProgressStyle {
        if surroundings.isConversation { return .lines }
        guard isErrorTerminal else { return .none }
        return Self.isDumb(surroundings) ? .lines : .movingLine
    }

    /// The characters of bars and plots.
    var plotStyle: PlotStyle { PlotStyle(terminal: surroundings.environment("TERM")) }

    /// The characters of bars beside text; nil where there are none: into a pipe, unless they were asked for.
    func plot(isAsked: Bool) -> PlotStyle? { isTerminal || isAsked ? plotStyle : nil }

    /// The cells of a line. Into a pipe the same, so that what is pasted looks as it did.
    var width: Int { surroundings.width }

    /// The cells of a line of standard error; nil where it is no terminal.
    var errorWidth: Int? { surroundings.errorWidth }

    /// Prints text for people.
    func show(_ text: String) throws(OutputError) { try paged.show(text) }

    /// Prints data: lets `append` add to the bytes that are gathered.
    func write(_ append: (inout [UInt8]) -> Void) throws(OutputError) { try output.write(append) }

    /// Prints what has been gathered, so that what follows on standard error comes after it.
    func flush() throws(OutputError) {
        try paged.finish()
        try output.flush()
    }

    /// Takes back everything that was printed, where none of it is out yet.
    ///
    /// - Returns: false, and does nothing, where some of it is.
    func takeBack() -> Bool {
        guard !output.hasWritten else { return false }
        paged.discard()
        output.discard()
        return true
    }

    /// Prints text on standard error, and reads a line from standard input; nil at its end.
    func prompt(_ text: String) -> String? {
        try? errors.write(text)
        try? errors.flush()
        if let line = surroundings.nextLine() { return line }
        // The end of the input comes without a newline.
        try? errors.write("\n")
        return nil
    }

    /// Asks a question on standard error, and reads the answer from standard input; true for a yes in English or in the
    /// language of the question.
    func ask(_ question: String, _ messages: Messages) -> Bool {
        let line = wrapped(question) + " \(messages.yesOrNo) "
        return prompt(line).map(messages.isYes) ?? false
    }

    /// The text in lines that fit standard error.
    private func wrapped(_ text: String) -> String {
        errorWidth.map { Fitting.hang(text, to: max(20, $0 - 8), indent: 2) } ?? text
    }

    /// One line on standard error. An error of writing it does not end the command.
    func notice(_ text: String) {
        let text = Escaping.line(text)
        try? errors.write((errorWidth.map { Fitting.hang(text, to: max(20, $0), indent: 2) } ?? text) + "\n")
    }
}
