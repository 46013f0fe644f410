// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsModel

/// The text of facets: a table for each field, with a value, its number of records and maybe a bar on each line.
public struct FacetText {
    private let facets: AnswerValue
    private let collection: CollectionDescription?
    /// The number of records that were counted; nil where the answer does not tell it.
    private let total: Int64?

    /// The bars are drawn where this many cells are left of a line.
    static let minBarCells = 12
    /// The maximum length of a bar, in cells.
    static let maxBarCells = 40

    /// - Parameters:
    ///   - facets: the member of the answer, `{field: [{value, label, count}]}`.
    ///   - collection: the description with the headings of the fields; nil shows their names.
    ///   - total: the number of records that were counted.
    public init(_ facets: AnswerValue, of collection: CollectionDescription?, total: Int64?) {
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
            let heading = title + (total.map { ": \(Numbers.grouped($0))" } ?? "")
            var text = Style.heading.apply(to: heading, isColored: isColored) + "\n"
            let rows = values.elements.map(FacetRow.init)
            let bars = plot.flatMap { Self.bars(of: rows, in: width ?? .max, $0) } ?? []
            var columns = [
                TableColumn(heading: "", isRight: true), TableColumn(heading: "", isElastic: true),
                TableColumn(heading: "", isElastic: true),
            ]
            if !bars.isEmpty { columns.append(TableColumn(heading: "")) }
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

    /// A bar for each row; nil where a line has no room for them beside its texts.
    private static func bars(of rows: [FacetRow], in width: Int, _ plot: PlotStyle) -> [String]? {
        func widest(_ text: (FacetRow) -> String) -> Int {
            rows.reduce(0) { max($0, DisplayWidth.cells(of: text($1))) }
        }
        let texts = [widest(\.count), widest(\.label), widest(\.code)].filter { $0 > 0 }
        let room = width - texts.reduce(0) { $0 + $1 + ColumnFitting.gap }
        guard room >= minBarCells else { return nil }
        let maximum = rows.map(\.number).max() ?? 0
        return rows.map { plot.bar($0.number, of: maximum, cells: min(room, maxBarCells)) }
    }
}

/// A value of a facet as its line shows it.
private struct FacetRow {
    let number: Int64
    let label: String
    /// The code in parentheses; empty where it is the label.
    let code: String

    var count: String { Numbers.grouped(number) }

    init(_ value: AnswerValue) {
        number = value["count"]?.integer ?? 0
        // Records without a value have a label and no code.
        let code = value["value"]?.text
        let label = value["label"]?.text ?? code ?? "–"
        self.label = Escaping.line(label)
        self.code = label == code || code == nil ? "" : "(\(Escaping.line(code ?? "")))"
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
