// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsProtocol

/// The texts of `status` without its table, for a screen that draws a table of its own. Collections have their titles.
public struct StatusSummary {
    private var text: StatusText

    /// - Parameters:
    ///   - unit: the unit of the daemon that has answered; nil where it is not known.
    ///   - width: the cells of a line.
    public init(_ answer: AnswerValue, time: LocalTime, unit: DaemonUnit?, width: Int) {
        let options = TextOptions(
            width: width, lineWidth: width, isColored: false, isWide: false, messages: time.messages, plot: nil)
        text = StatusText(answer, time: time, unit: unit, options)
        typealias Entry = StatusResult.Collection
        let titles = answer[StatusResult.collections].compactMap { entry in
            entry[Entry.name].map { ($0, entry[Entry.title] ?? $0) }
        }
        text.titles = Dictionary(titles, uniquingKeysWith: { first, _ in first })
    }

    /// The verdict about all collections, and whether none of them needs anybody.
    public var verdict: (text: String, isWell: Bool) { text.verdict }

    /// The names of the collections that need somebody, as the verdict counts them.
    public static func needyCollections(_ answer: AnswerValue) -> Set<String> {
        let concerns = answer[StatusResult.collections].flatMap { Concern.all(of: $0, .english) }
        return Set(concerns.filter(\.severity.needsAttention).map(\.collection))
    }

    /// The lines of the remarks: failures with what to do about them, hosts that are waited for, operations, mistakes in
    /// the configuration. Each group has an empty line before it.
    public var remarks: [String] {
        text.remarks.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
