// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc
public import Synchronization

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

    /// The way in which progress is shown on standard error.
    var progress: ProgressStyle {
        if surroundings.isConversation { return .lines }
        guard isErrorTerminal else { return .none }
        return Self.isDumb(surroundings) ? .lines : .movingLine
    }

    /// The characters of bars and plots.
    var plotStyle: PlotStyle { PlotStyle(terminal: surroundings.environment("TERM")) }

    /// The characters of bars beside text; nil if there are none: into a pipe, unless they were asked for.
    func plot(isAsked: Bool) -> PlotStyle? { isTerminal || isAsked ? plotStyle : nil }

    /// The cells of a line. Into a pipe the same, so that what is pasted looks as it did.
    var width: Int { surroundings.width }

    /// The cells of a line of standard error; nil if it is no terminal.
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

/// The way in which people see how far something is.
enum ProgressStyle: Sendable {
    /// Nothing is shown, as nobody would read it.
    case none
    /// One line, which is written over again.
    case movingLine
    /// A line from time to time: where the cursor cannot be moved, or somebody listens.
    case lines
}

/// The state of a command, for the handler of the signal that interrupts it.
public enum Interruption {
    /// Whether a command asks questions and has changed nothing yet. A signal handler may read it: a load takes no
    /// lock.
    public static let isHarmless = Atomic<Bool>(false)
    /// Whether ``harmlessWords`` are Polish. A signal handler may read it.
    private static let isPolish = Atomic<Bool>(false)
    /// The text for an interrupt that does no harm, with a newline.
    public static var harmlessWords: StaticString {
        isPolish.load(ordering: .relaxed)
            ? "claimsctl: przerwano, więc niczego nie wysłano\n"
            : "claimsctl: interrupted, so nothing was submitted\n"
    }

    /// Marks the time in which an interrupt does no harm.
    static func set(isHarmless value: Bool) { isHarmless.store(value, ordering: .relaxed) }

    /// Sets the language of ``harmlessWords``.
    static func setLanguage(_ messages: Messages) { isPolish.store(messages.isPolish, ordering: .relaxed) }
}

/// Standard input, read as a whole.
enum StandardInput {
    /// The bytes up to the end of the input; nil if there are more than `maxBytes`.
    ///
    /// - Throws: the error of read(2).
    static func read(maxBytes: Int) throws(SystemError) -> [UInt8]? {
        var input: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while input.count <= maxBytes {
            let count = try read(0, into: &chunk, "read standard input")
            if count == 0 { return input }
            input += chunk[..<count]
        }
        return nil
    }

    /// Reads once, and waits while a nonblocking descriptor has nothing; returns 0 at the end of the input.
    private static func read(
        _ raw: Int32, into chunk: inout [UInt8], _ operation: String
    ) throws(SystemError) -> Int {
        let descriptor = BorrowedDescriptor(raw)
        do throws(SystemError) {
            while true {
                switch try descriptor.read(into: &chunk) {
                case .bytes(let count): return count
                case .closed: return 0
                case .wouldBlock: _ = try descriptor.wait(for: .read, before: nil)
                }
            }
        } catch {
            throw SystemError(operation, errno: error.errno)
        }
    }

    /// Copies what a descriptor has, to its end, into a file.
    ///
    /// - Throws: the error of a call; EFBIG where there are more than `maxBytes`.
    static func copy(
        _ descriptor: Int32, to file: borrowing FileDescriptor, maxBytes: Int
    ) throws(SystemError) {
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        var total = 0
        while true {
            let count = try read(descriptor, into: &chunk, "read the input")
            if count == 0 { return }
            total += count
            guard total <= maxBytes else { throw SystemError("read the input", errno: EFBIG) }
            try file.write(Array(chunk[..<count]))
        }
    }
}
