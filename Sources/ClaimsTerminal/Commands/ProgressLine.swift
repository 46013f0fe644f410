// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One line on the terminal that tells how far something is. Nothing is shown where standard error is no terminal, or
/// nobody wants to know.
struct ProgressLine {
    private let console: Console
    private let isWanted: Bool
    private var isShown = false

    init(_ context: CommandContext) {
        console = context.console
        isWanted = context.console.isErrorTerminal && !context.invocation.isQuiet
    }

    /// Replaces the line.
    mutating func show(_ text: String) {
        guard isWanted else { return }
        isShown = true
        write("\r\u{1B}[K" + Fitting.truncate(Escaping.line(text), to: max(20, console.width - 1)))
    }

    /// Takes the line away.
    mutating func clear() {
        if isShown { write("\r\u{1B}[K") }
        isShown = false
    }

    private func write(_ text: String) {
        try? console.errors.write(text)
        try? console.errors.flush()
    }
}
