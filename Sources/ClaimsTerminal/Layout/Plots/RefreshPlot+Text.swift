// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsModel
import ClaimsProtocol

extension RefreshPlot.Attempt {
    /// Reads an element of the answer of `refreshes`; nil for one without a time.
    public init?(_ value: AnswerValue) {
        typealias Attempt = RefreshesResult.Attempt
        guard let at = value[Attempt.at]?.string.flatMap({ Instant.parse($0)?.ms }) else { return nil }
        let outcome = value[Attempt.outcome]
        self.init(
            at: at, duration: value[Attempt.duration] ?? 0, isFailure: outcome == "failed" || outcome == "held",
            records: outcome == "held" ? nil : value[Attempt.records]?.integer)
    }
}

extension RefreshPlot {
    /// The two rows of the plot: the name of each, its slots, and the newest and largest value as text.
    public func rows(
        _ style: PlotStyle, _ messages: Messages
    ) -> [(name: String, slots: String, values: String)] {
        var rows: [(name: String, slots: String, values: String)] = []
        if let lastRecords, let maxRecords {
            let values = messages.lastAndMax(messages.number(lastRecords), messages.number(maxRecords))
            rows.append((messages.plottedRecords, records(style), values))
        }
        if let lastDuration, let maxDuration {
            let values = messages.lastAndMax(messages.shortSpan(lastDuration), messages.shortSpan(maxDuration))
            rows.append((messages.plottedDuration, durations(style), values))
        }
        return rows
    }
}
