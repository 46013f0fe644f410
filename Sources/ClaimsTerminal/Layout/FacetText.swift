// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient

/// The text of facets: a table for each field, with a value and its number of records on each line.
public enum FacetText {
    /// The tables, with an empty line between them.
    ///
    /// - Parameters:
    ///   - facets: the member of the answer, `{field: [{value, label, count}]}`.
    ///   - collection: the description with the headings of the fields; nil shows their names.
    ///   - width: the width of a line in cells; nil for no limit.
    public static func text(
        _ facets: AnswerValue, _ collection: CollectionDescription?, width: Int?, isColored: Bool
    ) -> String {
        var sections: [String] = []
        for (name, values) in facets.members {
            let title = collection?.field(name)?.heading ?? name
            var text = Style.heading.apply(to: Escaping.line(title), isColored: isColored) + "\n"
            var table = TextTable([
                TableColumn(heading: "", isRight: true), TableColumn(heading: "", isElastic: true),
                TableColumn(heading: "", isElastic: true),
            ])
            for value in values.elements {
                // Records without a value have a label and no code.
                let code = value["value"]?.text
                let label = value["label"]?.text ?? code ?? "–"
                table.append([
                    Cell(Numbers.grouped(value["count"]?.integer ?? 0)), Cell(Escaping.line(label)),
                    Cell(label == code ? "" : Escaping.line(code ?? ""), style: .dim),
                ])
            }
            text += table.text(width: width, isColored: isColored)
            sections.append(text)
        }
        return sections.joined(separator: "\n")
    }
}

/// The text about values, members and types that an upstream sent and no definition knows.
public enum DriftText {
    /// The text, with one line for each new value, member or type; empty if there are none.
    ///
    /// - Parameters:
    ///   - drift: the member of the answer of `status`, `{collection: {values, members, types, unlisted}}`.
    ///   - width: the width of a line in cells.
    public static func text(_ drift: AnswerValue?, width: Int, isColored: Bool) -> String {
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
        return "\n\(heading)\n"
            + lines.map { "  \(Fitting.hang(Escaping.line($0), to: max(20, width - 2), indent: 4))\n" }.joined()
    }

    private static func part(_ entry: AnswerValue, _ name: String) -> String { entry[name]?.text ?? "?" }

    private static func count(_ entry: AnswerValue) -> String {
        entry["count"]?.integer.map { ", \(Numbers.count($0, "record", "records"))" } ?? ""
    }
}
