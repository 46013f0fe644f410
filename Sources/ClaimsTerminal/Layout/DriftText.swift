// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient

/// Lays out what the upstreams sent that no definition knows.
public enum DriftText {
    /// - Parameter drift: `{collection: {values, members, types, unlisted}}`
    public static func text(_ drift: AnswerValue?, isColored: Bool) -> String {
        var lines: [String] = []
        for (collection, report) in drift?.members ?? [] {
            for entry in report["values"]?.elements ?? [] {
                lines.append(
                    "\(collection): \(part(entry, "field")) has the unknown value '\(part(entry, "value"))'\(count(entry))"
                )
            }
            for entry in report["members"]?.elements ?? [] {
                lines.append("\(collection): a member '\(part(entry, "name"))' that is not read\(count(entry))")
            }
            for entry in report["types"]?.elements ?? [] {
                let found = part(entry, "found")
                lines.append(
                    "\(collection): \(part(entry, "field")) is \(found) instead of \(part(entry, "expected"))\(count(entry))"
                )
            }
            if let more = report["unlisted"]?.integer, more > 0 {
                lines.append("\(collection): and \(Numbers.grouped(more)) more")
            }
        }
        if lines.isEmpty { return "" }
        let heading = Style.heading.apply(to: "New upstream", isColored: isColored)
        return "\n\(heading)\n" + lines.map { "  \(Escaping.line($0))\n" }.joined()
    }

    private static func part(_ entry: AnswerValue, _ name: String) -> String { entry[name]?.text ?? "?" }

    private static func count(_ entry: AnswerValue) -> String {
        entry["count"]?.integer.map { ", \(Numbers.count($0, "record", "records"))" } ?? ""
    }
}
