// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient

/// Lays out how often each value of some fields occurs.
public enum FacetText {
    /// - Parameter facets: `{field: [{value, label, count}]}`
    public static func text(
        _ facets: AnswerValue, _ collection: CollectionDescription?, width: Int?, isColored: Bool
    ) -> String {
        var sections: [String] = []
        for (name, values) in facets.members {
            let title = collection?.field(name)?.heading ?? name
            var text = Style.heading.apply(to: Escaping.line(title), isColored: isColored) + "\n"
            var table = TextTable([
                Column(heading: "", isRight: true), Column(heading: "", isElastic: true),
                Column(heading: "", isElastic: true),
            ])
            for value in values.elements {
                let code = value["value"]?.text ?? "–"
                let label = value["label"]?.text ?? code
                table.append([
                    Cell(Numbers.grouped(value["count"]?.integer ?? 0)), Cell(Escaping.line(label)),
                    Cell(label == code ? "" : Escaping.line(code), style: .dim),
                ])
            }
            text += table.text(width: width, isColored: isColored)
            sections.append(text)
        }
        return sections.joined(separator: "\n")
    }
}
