// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// The text about values, members and types that an upstream sent and no definition knows.
public enum DriftText {
    /// The text, with one line for each new value, member or type; empty if there are none.
    ///
    /// - Parameters:
    ///   - drift: the member of the answer of `status`, `{collection: {values, members, types, unlisted}}`.
    ///   - width: the width of a line in cells.
    public static func text(_ drift: AnswerValue?, _ messages: Messages, width: Int, isColored: Bool) -> String {
        var lines: [String] = []
        for (collection, report) in drift?.members ?? [] {
            for entry in report["values"]?.elements ?? [] {
                let text = messages.unknownValue(part(entry, "value"), of: part(entry, "field"))
                lines.append("\(collection): \(text)\(count(entry, messages))")
            }
            for entry in report["members"]?.elements ?? [] {
                lines.append("\(collection): \(messages.unreadMember(part(entry, "name")))\(count(entry, messages))")
            }
            for entry in report["types"]?.elements ?? [] {
                let (field, found) = (part(entry, "field"), part(entry, "found"))
                let text =
                    found == StatusResult.Drift.TypeChange.future
                    ? messages.futureValue(of: field)
                    : messages.otherType(of: field, found: found, expected: part(entry, "expected"))
                lines.append("\(collection): \(text)\(count(entry, messages))")
            }
            if let more = report["unlisted"]?.integer, more > 0 {
                lines.append("\(collection): \(messages.andMore(more))")
            }
        }
        if lines.isEmpty { return "" }
        let heading = Style.heading.apply(to: messages.drift, isColored: isColored)
        let meaning = Fitting.hang(messages.driftMeaning, to: max(20, width), indent: 0)
        return "\n\(heading)\n\(meaning)\n"
            + lines.map { "  \(Fitting.hang(Escaping.line($0), to: max(20, width - 2), indent: 4))\n" }.joined()
    }

    private static func part(_ entry: AnswerValue, _ name: String) -> String { entry[name]?.text ?? "?" }

    private static func count(_ entry: AnswerValue, _ messages: Messages) -> String {
        entry["count"]?.integer.map { ", \(messages.count($0, .records))" } ?? ""
    }
}
