// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsModel

/// The text of facets: a table for each field, with a value, its number of records and maybe a bar on each line.
public struct FacetText {
    private let facets: AnswerValue
    private let collection: CollectionDescription?
    /// The number of records that were counted; nil if the answer does not have it.
    private let total: Int64?
    private let messages: Messages

    /// The bars are drawn where this many cells are left of a line.
    static let minBarCells = 12
    /// The maximum number of lines of a label or code, so that none is cut.
    private static let maxLines = 40
    /// The maximum length of a bar, in cells.
    static let maxBarCells = 40

    /// - Parameters:
    ///   - facets: the member of the answer, `{field: [{value, label, count}]}`.
    ///   - collection: the description with the headings of the fields; nil shows their names.
    ///   - total: the number of records that were counted.
    public init(
        _ facets: AnswerValue, of collection: CollectionDescription?, total: Int64?, messages: Messages
    ) {
        self.messages = messages
        self.facets = facets
        self.collection = collection
        self.total = total
    }

    /// The tables, with an empty line between them.
    ///
    /// - Parameters:
    ///   - width: the width of a line in cells; nil for no limit.
    ///   - plot: the characters of the bars; nil for none.
    public func text(width: Int?, isColored: Bool, plot: PlotStyle? = nil) -> String {
        var sections: [String] = []
        for (name, values) in facets.members {
            let title = Escaping.line(collection?.field(name)?.heading ?? name)
            let heading = title + (total.map { ": \(messages.count($0, .records))" } ?? "")
            var text = Style.heading.apply(to: heading, isColored: isColored) + "\n"
            let rows = values.elements.map { FacetRow($0, messages) }
            let bars = plot.flatMap { self.bars(of: rows, in: width ?? .max, $0) } ?? []
            var columns = [
                LayoutColumn(heading: messages.heading(.count), isRight: true),
                LayoutColumn(heading: messages.heading(.value), lines: Self.maxLines, isElastic: true),
                LayoutColumn(heading: "", lines: Self.maxLines, isElastic: true),
            ]
            if !bars.isEmpty { columns.append(LayoutColumn(heading: "")) }
            var table = TextTable(columns)
            for (index, row) in rows.enumerated() {
                let cells = [Cell(row.count), Cell(row.label), Cell(row.code, style: .dim)]
                table.append(cells + (bars.isEmpty ? [] : [Cell(bars[index])]))
            }
            text += table.text(width: width, isColored: isColored)
            sections.append(text)
        }
        return sections.joined(separator: "\n")
    }

    /// A bar for each row; nil if a line has no room for them beside its texts.
    private func bars(of rows: [FacetRow], in width: Int, _ plot: PlotStyle) -> [String]? {
        func widest(_ text: (FacetRow) -> String) -> Int {
            rows.reduce(0) { max($0, DisplayWidth.cells(of: text($1))) }
        }
        let headings = [Messages.Heading.count, .value].map { DisplayWidth.cells(of: messages.heading($0)) }
        let texts = [max(widest(\.count), headings[0]), max(widest(\.label), headings[1]), widest(\.code)]
            .filter { $0 > 0 }
        let room = width - texts.reduce(0) { $0 + $1 + ColumnFitting.gap }
        guard room >= Self.minBarCells else { return nil }
        let maximum = rows.map(\.number).max() ?? 0
        return rows.map { plot.bar($0.number, of: maximum, cells: min(room, Self.maxBarCells)) }
    }
}

/// A value of a facet as its line shows it.
private struct FacetRow {
    let number: Int64
    let label: String
    /// The code in parentheses; empty if it is the label.
    let code: String

    let count: String

    init(_ value: AnswerValue, _ messages: Messages) {
        number = value["count"]?.integer ?? 0
        count = messages.number(number)
        // Records without a value have a label and no code.
        let code = value["value"]?.text
        let label = value["label"]?.text ?? code ?? "–"
        self.label = Escaping.line(label)
        self.code = label == code || code == nil ? "" : "(\(Escaping.line(code ?? "")))"
    }
}
