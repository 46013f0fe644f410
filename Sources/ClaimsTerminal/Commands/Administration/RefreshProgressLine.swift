// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

/// The line on a terminal that tells how far refreshes are: the phase of each, its bytes, and for how long it has been.
struct RefreshProgressLine {
    private typealias Entry = RefreshProgressNotification

    private let subject: String
    private let messages: Messages
    private let start = SystemClock.monotonic
    private var line: ProgressLine
    /// The newest notification of each source, in the order in which they first came.
    private var states: [(collection: String, text: String)] = []

    init(_ context: CommandContext, subject: String) {
        self.subject = subject
        messages = context.messages
        line = ProgressLine(context)
    }

    /// Takes a notification over; one of another kind is passed over.
    mutating func take(_ notification: AnswerValue) {
        guard notification["method"]?.string == Entry.method, let params = notification["params"],
            let name = params[Entry.collection]
        else { return }
        let collection = params[Entry.site].map { "\(name), \($0)" } ?? name
        let text = Self.text(params, messages)
        if let index = states.firstIndex(where: { $0.collection == collection }) {
            states[index].text = text
        } else {
            states.append((collection, text))
        }
        tick()
    }

    /// How far one refresh is: `receiving 1.2 of 3.0 MiB`.
    static func text(_ params: AnswerValue, _ messages: Messages) -> String {
        messages.phase(
            params[Entry.phase] ?? "", bytes: Int64(params[Entry.bytes] ?? 0),
            of: params[Entry.expected].map { Int64($0) },
            pages: Int64(params[Entry.pages] ?? 0), records: Int64(params[Entry.records] ?? 0))
    }

    mutating func tick() {
        let seconds = Int64((SystemClock.monotonic - start) / 1_000_000_000)
        let text =
            states.isEmpty
            ? subject : states.map { "\($0.collection): \($0.text)" }.joined(separator: "; ")
        line.show(states.isEmpty ? messages.refreshing(text, seconds: seconds) : "\(text), \(seconds) s")
    }

    mutating func clear() { line.clear() }
}
