// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import Glibc

/// The output of text for people: standard output, or a pager where that is a terminal and the text is longer.
final class PagedOutput {
    private let output: Output
    private let surroundings: Surroundings
    /// How many lines can be shown without a pager; `nil` where there is to be none.
    private let height: Int?
    /// Whether lines may be longer than the terminal: the pager then folds none of them, and shifts sideways.
    private let hasLongLines: Bool
    /// Whether such a line has come.
    private var isTooWide = false
    private var pending = ""
    private var pendingLines = 0
    private var pager: PagerProgram?
    private var isDecided = false

    init(_ output: Output, _ surroundings: Surroundings, isInteractive: Bool, hasLongLines: Bool) {
        self.output = output
        self.hasLongLines = hasLongLines
        self.surroundings = surroundings
        height = isInteractive ? surroundings.terminalSize().map { max(1, $0.rows - 2) } : nil
    }

    func show(_ text: String) throws(OutputError) {
        guard let height, !isDecided else { return try output.write(text) }
        pending += text
        pendingLines += text.utf8.count { $0 == UInt8(ascii: "\n") }
        if hasLongLines, !isTooWide { isTooWide = text.split(separator: "\n").contains(where: isTooWide) }
        guard pendingLines > height || isTooWide else { return }
        isDecided = true
        if let pager = PagerProgram(surroundings, hasLongLines: isTooWide) {
            try output.redirect(to: pager.descriptor)
            self.pager = consume pager
        }
        try output.write(pending)
        try output.flush()
        pending = ""
    }

    private func isTooWide(_ line: Substring) -> Bool {
        line.utf8.count > surroundings.width && DisplayWidth.cells(of: Style.plainText(of: line)) > surroundings.width
    }

    /// Drops the text that is kept until it is clear whether a pager shows it.
    func discard() {
        pending = ""
        pendingLines = 0
    }

    /// Ends the text; returns when the pager has ended.
    func finish() throws(OutputError) {
        if !isDecided, !pending.isEmpty { try output.write(pending) }
        pending = ""
        isDecided = true
        guard pager != nil else { return }
        let result = Result { () throws(OutputError) in try output.flush() }
        if let pager = pager.take() { pager.finish() }
        try result.get()
    }
}

/// A pager that shows what is written to it.
struct PagerProgram: ~Copyable {
    private let process: ChildProcess
    private let input: FileDescriptor

    /// Starts `$PAGER`, or less; `nil` where there is none, or none is wanted.
    init?(_ surroundings: borrowing Surroundings, hasLongLines: Bool) {
        let command = surroundings.environment("PAGER") ?? "less"
        if command.isEmpty || command == "cat" || surroundings.environment("TERM") == "dumb" { return nil }
        var environment = Environment.all
        // less would show each byte of a letter outside ASCII as <C5> in a locale that is not of UTF-8.
        if surroundings.environment("LESSCHARSET") == nil { environment.append("LESSCHARSET=utf-8") }
        // Leave what fits on the screen there, and let colours through. What is too wide does not fit.
        if surroundings.environment("LESS") == nil { environment.append(hasLongLines ? "LESS=RXS" : "LESS=FRX") }
        let isPlain = command.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                || byte == UInt8(ascii: ".")
        }
        do {
            let pipe = try FileDescriptor.pipe()
            process = try ChildProcess(
                isPlain ? command : "/bin/sh", isPlain ? [] : ["-c", command], environment: environment,
                input: pipe.reading.raw)
            input = pipe.keepWriting()
        } catch {
            return nil
        }
        // An interrupt is for the pager.
        _ = signal(SIGINT, SIG_IGN)
    }

    var descriptor: Int32 { input.raw }

    /// Returns when the reader has had enough.
    consuming func finish() {
        PagerProgram.end(input)
        _ = process.wait()
    }

    /// Tells the pager that there is no more.
    private static func end(_ input: consuming FileDescriptor) {}
}
