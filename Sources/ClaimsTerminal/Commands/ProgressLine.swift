// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The text on the terminal, or in a conversation, that tells how far something is. Nothing is shown where nobody would
/// read it, or wants to know.
struct ProgressLine {
    private let console: Console
    private let style: ProgressStyle
    private var pace = ProgressLinePace()
    private var isShown = false

    init(_ context: CommandContext) {
        console = context.console
        style = context.invocation.isQuiet ? .none : context.console.progress
    }

    /// Replaces the line; where lines stay, adds one if it is time.
    mutating func show(_ text: String) {
        let text = Escaping.line(text)
        switch style {
        case .none: return
        case .movingLine: write("\r\u{1B}[K" + Fitting.truncate(text, to: max(20, console.width - 1)))
        case .lines:
            guard pace.isDue(at: SystemClock.monotonic) else { return }
            write((console.errorWidth.map { Fitting.hang(text, to: max(20, $0), indent: 2) } ?? text) + "\n")
        }
        isShown = true
    }

    /// Takes the line away. Lines that stay are history.
    mutating func clear() {
        if isShown, style == .movingLine { write("\r\u{1B}[K") }
        isShown = false
    }

    private func write(_ text: String) {
        try? console.errors.write(text)
        try? console.errors.flush()
    }
}

/// The times at which lines about progress come where each one stays: after a second, then every five; pure.
struct ProgressLinePace {
    private var nextLine: UInt64?

    /// The time before the first line, in nanoseconds: what is soon done needs none.
    private static let firstDelay: UInt64 = 1_000_000_000
    /// The time between two lines, in nanoseconds.
    private static let interval: UInt64 = 5_000_000_000

    /// Whether a line is due at a time of the monotonic clock, in nanoseconds; then the next one is due later. The first
    /// call begins the time.
    mutating func isDue(at now: UInt64) -> Bool {
        guard let next = nextLine else {
            nextLine = now + Self.firstDelay
            return false
        }
        guard now >= next else { return false }
        nextLine = now + Self.interval
        return true
    }
}
