// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// The lines of `status` about hosts that are waited for.
enum HostLines {
    /// The maximum number of hosts that are shown.
    private static let maxShown = 16

    /// The lines, an empty one before them; empty where no host is waited for.
    static func text(_ hosts: [AnswerValue], time: LocalTime, width: Int, isColored: Bool) -> String {
        typealias Host = StatusResult.Host
        let awaited = hosts.filter { $0[Host.waiting] ?? 0 > 0 || $0[Host.until] != nil }
        guard !awaited.isEmpty else { return "" }
        let title = time.messages.awaitedHosts
        var text = "\n" + Style.bold.apply(to: title, isColored: isColored) + ":\n"
        for host in awaited.prefix(maxShown) {
            text += "  " + Fitting.hang(line(host, time), to: max(20, width - 2), indent: 4) + "\n"
        }
        if awaited.count > maxShown { text += "  …\n" }
        return text
    }

    private static func line(_ host: AnswerValue, _ time: LocalTime) -> String {
        typealias Host = StatusResult.Host
        let messages = time.messages
        var parts: [String] = []
        if let until = host[Host.until]?.string.flatMap({ Instant.parse($0) }) {
            parts.append(messages.hostClosed(until: time.short(until.ms)))
        }
        if let count = host[Host.inFlight], count > 0 { parts.append(messages.requestsUnderWay(count)) }
        if let count = host[Host.waiting], count > 0 { parts.append(messages.requestsWaiting(count)) }
        let rate = host[Host.rate]
        parts.append(messages.hostLimits(host[Host.concurrency] ?? 0, rate: rate))
        return Escaping.line("\(host[Host.host] ?? ""): \(parts.joined(separator: ", "))")
    }
}
