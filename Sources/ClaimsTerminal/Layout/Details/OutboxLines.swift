// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// The lines of `status` about operations that are to go to upstreams.
enum OutboxLines {
    /// The lines, an empty one before them; empty where no operation is under way.
    static func text(_ outbox: AnswerValue?, time: LocalTime, width: Int, isColored: Bool) -> String {
        typealias Outbox = StatusResult.Outbox
        guard let outbox else { return "" }
        let (queued, accepted) = (outbox[Outbox.queued] ?? 0, outbox[Outbox.accepted] ?? 0)
        let stuck = outbox[Outbox.stuck] ?? 0
        guard queued + accepted + stuck > 0 else { return "" }
        var parts: [String] = []
        let messages = time.messages
        if queued > 0 { parts.append(messages.queued(queued)) }
        if accepted > 0 { parts.append(messages.accepted(accepted)) }
        if stuck > 0 { parts.append(messages.stuck(stuck)) }
        if let oldest = outbox[Outbox.oldest] { parts.append(messages.oldest(oldest)) }
        var text = "\n" + Style.bold.apply(to: messages.outbox, isColored: isColored)
        text +=
            Fitting.hang("\(messages.outbox): " + parts.joined(separator: ", "), to: width, indent: 2)
            .dropFirst(messages.outbox.count) + "\n"
        if stuck > 0 { text += "  \(messages.seeStuck)\n" }
        for origin in outbox[Outbox.paused] {
            text += "  " + Fitting.hang(line(paused: origin, time), to: max(20, width - 2), indent: 4) + "\n"
        }
        return text
    }

    /// An origin that is not sent to now, as a sentence.
    static func line(paused origin: AnswerValue, _ time: LocalTime) -> String {
        let next = origin[PausedOrigin.nextTry]?.string.flatMap { Instant.parse($0) }.map { time.short($0.ms) } ?? ""
        let reason = FreshnessLine.clause(origin[PausedOrigin.reason] ?? "")
        return time.messages.paused(Escaping.line(origin[PausedOrigin.origin] ?? ""), reason, next: next)
    }
}
