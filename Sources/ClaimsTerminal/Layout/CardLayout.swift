// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// A layout of a row as a card, for lines too narrow for columns.
///
/// The text in bold stands left, and a badge or the first label right. Texts of several lines follow, then the rest,
/// joined: an id as it is, other values behind their headings.
public struct CardLayout: Sendable {
    /// The cells before the lines of a card after its first, if nothing else separates cards.
    public static let plainIndent = 2

    private let columns: [LayoutColumn]
    private let width: Int
    private let indent: Int

    /// The cells that a title has beside its label, unless it needs less.
    private static let minimumTitle = 14
    /// The cells between a title and its label.
    private static let gap = 2
    /// The lines of a value of the rest that may be cut.
    private static let maxFactLines = 2

    /// Makes a layout for lines of `width` cells; a width below 8 counts as 8.
    public init(columns: [LayoutColumn], width: Int, indent: Int = CardLayout.plainIndent) {
        self.columns = columns
        self.width = max(8, width)
        self.indent = indent
    }

    /// The lines of one row, with as many cells as there are columns; empty values take no room.
    ///
    /// - Parameter marks: marks of the record, which stand before the label.
    public func lines(_ row: [Cell], marks: [Cell] = []) -> [StyledLine] {
        let hasBadge = row.contains(where: \.isBadge)
        let title = titleIndex(row)
        let label = labelIndex(row, title: title)
        var lines: [StyledLine] = []
        var facts: [Fact] = []
        if let title {
            let right = marks + (label.map { [row[$0]] } ?? [])
            let taken = right.reduce(0) { $0 + DisplayWidth.cells(of: $1.text) + 1 } - 1 + Self.gap
            let whole = DisplayWidth.cells(of: row[title].text)
            let needed = columns[title].isElastic ? min(Self.minimumTitle, whole) : whole
            let fits = !right.isEmpty && taken + needed <= width
            lines = titleLines(row[title], columns[title], hasBadge: hasBadge, width: fits ? width - taken : width)
            if fits {
                lines[0].pad(to: width - taken + Self.gap)
                for (index, cell) in right.enumerated() {
                    lines[0].append(index > 0 ? " " : "")
                    lines[0].append(cell.text, cell.style)
                }
            } else {
                facts = marks.map { Fact(text: $0.text) }
                if let label { facts.append(Fact(columns[label], row[label])) }
            }
        }
        for index in columns.indices where index != title && columns[index].lines > 1 && !row[index].text.isEmpty {
            let limit = max(1, hasBadge ? columns[index].lines - 1 : columns[index].lines)
            for text in wrapped(row[index].text, to: width - indent, lines: limit) {
                lines.append(indented(text, row[index].style))
            }
        }
        for index in columns.indices where index != title && columns[index].lines == 1 {
            let isShown = index == label && title != nil || columns[index].kind == .mark && !marks.isEmpty
            if !isShown, !row[index].text.isEmpty { facts.append(Fact(columns[index], row[index])) }
        }
        return lines + packed(facts).map { indented($0, .dim) }
    }

    /// The column on the left of the first line: the text in bold, else an id; a list without a text in bold may have
    /// one of several lines.
    private func titleIndex(_ row: [Cell]) -> Int? {
        let filled = columns.indices.filter { !row[$0].text.isEmpty }
        if let bold = filled.first(where: { columns[$0].isEmphasized }) { return bold }
        let hasTitle = columns.contains(where: \.isEmphasized)
        if !hasTitle, let text = filled.first(where: { columns[$0].lines > 1 }) { return text }
        return filled.first { columns[$0].kind == .id }
    }

    /// The column on the right of the first line: a badge, else the first label.
    private func labelIndex(_ row: [Cell], title: Int?) -> Int? {
        let others = columns.indices.filter { $0 != title && !row[$0].text.isEmpty }
        return others.first { row[$0].isBadge } ?? others.first { columns[$0].kind == .code && columns[$0].lines == 1 }
    }

    private func titleLines(_ cell: Cell, _ column: LayoutColumn, hasBadge: Bool, width: Int) -> [StyledLine] {
        let limit = max(1, hasBadge ? column.lines - 1 : column.lines)
        // An id is never cut.
        let texts =
            column.isElastic
            ? wrapped(cell.text, to: width, lines: limit) : Fitting.wrapWhole(cell.text, to: width)
        return texts.map { StyledLine($0, .bold) }
    }

    /// The lines of a text. Where their number is limited, a word wider than a line is cut.
    private func wrapped(_ text: String, to cells: Int, lines limit: Int) -> [String] {
        limit >= .max - 1 ? Fitting.wrapWhole(text, to: cells) : Fitting.wrapCut(text, to: cells, lines: limit)
    }

    private func indented(_ text: String, _ style: Style) -> StyledLine {
        var line = StyledLine()
        line.pad(to: indent)
        line.append(text, style)
        return line
    }

    /// A value of the rest of a card.
    private struct Fact {
        let text: String
        var isElastic = false

        init(text: String) { self.text = text }

        init(_ column: LayoutColumn, _ cell: Cell) {
            text = column.kind == .id ? cell.text : "\(column.heading.lowercased()) \(cell.text)"
            isElastic = column.isElastic
        }
    }

    /// The lines of the joined values. A value begins on a line of its own rather than to be broken.
    private func packed(_ facts: [Fact]) -> [String] {
        let width = max(1, width - indent)
        let separator = " · "
        var lines: [String] = []
        var current = ""
        for fact in facts {
            let joined = current.isEmpty ? fact.text : current + separator + fact.text
            if DisplayWidth.cells(of: joined) <= width {
                current = joined
                continue
            }
            if !current.isEmpty { lines.append(current) }
            let pieces =
                fact.isElastic
                ? Fitting.wrapCut(fact.text, to: width, lines: Self.maxFactLines)
                : Fitting.wrapWhole(fact.text, to: width)
            lines += pieces.dropLast()
            current = pieces.last ?? ""
        }
        return current.isEmpty ? lines : lines + [current]
    }
}
