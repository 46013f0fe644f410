// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTerminal

/// A writer of blocks as a manual page (man(7)), in ASCII, for groff and mandoc.
public struct RoffWriter {
    /// Turns a reference to a page of the reference into a manual page's name and section.
    private let reference: (String) -> (name: String, section: Int)?
    /// The roff source written so far.
    public private(set) var text = ""

    /// Makes a writer.
    ///
    /// - Parameter reference: returns the name and section of the manual page that a page of the reference becomes; nil
    ///   for a page without one.
    public init(reference: @escaping (String) -> (name: String, section: Int)?) {
        self.reference = reference
    }

    /// Writes the `.TH` line, which must be the first of a manual page.
    public mutating func title(_ name: String, section: Int) {
        text += ".TH \(RoffText.argument(name.uppercased())) \(section) \"\" claimsd \"claimsd manual\"\n"
        // Neither hyphenated nor stretched: half of the words are names.
        text += ".nh\n.ad l\n"
    }

    /// Begins a section. Its title is in capitals, unless it contains a name in code.
    public mutating func section(_ title: String) {
        let isName = title.contains("`")
        text += ".SH \(RoffText.argument(isName ? InlineText.plain(title) : title.uppercased()))\n"
    }

    /// Writes the content of the section NAME, in the form that makewhatis(8) reads.
    public mutating func name(_ name: String, _ summary: String) {
        text += "\(RoffText.verbatim(name)) \\- \(RoffText.plain(summary))\n"
    }

    /// Writes command lines, each on a line of its own.
    public mutating func synopsis(_ lines: [String]) {
        for (index, line) in lines.enumerated() { text += (index > 0 ? ".br\n" : "") + inline(line) }
    }

    /// Writes blocks in their order.
    public mutating func write(_ blocks: [Block]) {
        for block in blocks { write(block) }
    }

    /// Writes one block.
    ///
    /// - Precondition: a generated part has been replaced by its blocks.
    public mutating func write(_ block: Block) {
        switch block {
        case .heading(let level, let title):
            let plain = RoffText.argument(InlineText.plain(title))
            switch level {
            case ...2: section(title)
            case 3: text += ".SS \(plain)\n"
            default: text += ".PP\n\(RoffText.strong(InlineText.plain(title)))\n"
            }
        case .paragraph(let paragraph): text += ".PP\n" + inline(paragraph)
        case .code(let lines):
            text += ".PP\n.RS 4\n.nf\n" + lines.map { RoffText.guarded(RoffText.verbatim($0)) + "\n" }.joined()
            text += ".fi\n.RE\n"
        case .list(let items, let isNumbered):
            for (index, item) in items.enumerated() {
                text += (isNumbered ? ".IP \(index + 1). 4\n" : ".IP \\(bu 2\n") + inline(item)
            }
        case .table(let header, let rows): write(header, rows)
        case .generated(let name): preconditionFailure("the part '\(name)' has not been made")
        }
    }

    /// The maximum width of a table in columns, in cells: the width of a page of 80 columns without its margins.
    private static let maxTableCells = 70
    private static let gap = 2

    /// A table of keys in columns, for a quick look. The second column is broken if the others leave too little room.
    private mutating func writeColumns(_ header: [String], _ rows: [[String]]) {
        let cells = [header] + rows.map { $0.map(InlineText.plain) }
        var widths = header.indices.map { column in cells.map { DisplayWidth.cells(of: $0[column]) }.max() ?? 0 }
        let others = widths.reduce(0, +) - widths[1] + Self.gap * (widths.count - 1)
        widths[1] = min(widths[1], Self.maxTableCells - others)
        text += ".PP\n.nf\n"
        for (number, row) in cells.enumerated() {
            let columns = zip(row, widths).map { Fitting.wrap($0, to: $1) }
            for line in 0..<(columns.map(\.count).max() ?? 0) {
                var end = 0
                var shown = ""
                var start = 0
                for (column, lines) in columns.enumerated() {
                    if lines.indices.contains(line), !lines[line].isEmpty {
                        let isStrong = number == 0 || column == 0
                        shown += String(repeating: " ", count: start - end)
                        shown += isStrong ? RoffText.strong(lines[line]) : RoffText.plain(lines[line])
                        end = start + DisplayWidth.cells(of: lines[line])
                    }
                    start += widths[column] + Self.gap
                }
                text += RoffText.guarded(shown) + "\n"
            }
        }
        text += ".fi\n"
    }

    /// Headings that the text of a last column does not need.
    private static let silentHeadings: Set<String> = [
        "Does", "Effect", "Explanation", "Holds", "Is", "Meaning", "Means", "Then", "What it is", "then",
    ]

    /// The heading of a last column, before its text: a question or a beginning of a sentence as it is.
    private static func lead(_ heading: String) -> String {
        if silentHeadings.contains(heading) { return "" }
        let isOpen = heading.hasSuffix("?") || heading.split(separator: " ").count > 2
        return heading + (isOpen ? " " : ": ")
    }

    /// A table as a list of terms: the first column, the middle ones in parentheses, the last one below. An empty first
    /// cell repeats the cell above it.
    private mutating func write(_ header: [String], _ rows: [[String]]) {
        if header.first == "Keys" { return writeColumns(header, rows) }
        var first = ""
        for row in rows {
            if !row[0].isEmpty { first = row[0] }
            var term = RoffText.strong(InlineText.plain(first))
            var remarks: [String] = []
            for (title, cell) in zip(header, row).dropFirst().dropLast() where !cell.isEmpty {
                // A type or a number needs no explanation.
                let isPlain = ["Type", "Takes", "Code"].contains(title) || cell == "required"
                let name = title.hasPrefix("`") ? title : title.lowercased()
                remarks.append(isPlain ? cell : "\(name) \(cell)")
            }
            if !remarks.isEmpty { term += " (" + pieces(remarks.joined(separator: ", ")) + ")" }
            let last = row.count > 1 ? row[row.count - 1] : ""
            let meaning = last.isEmpty ? "" : Self.lead(header[header.count - 1]) + last
            text += ".TP\n\(RoffText.guarded(term))\n" + inline(meaning)
        }
    }

    /// A text on lines of its own.
    private func inline(_ markdown: String) -> String {
        let text = pieces(markdown)
        guard !text.isEmpty else { return "\\&\n" }
        return RoffText.wrapped(text)
    }

    private func pieces(_ markdown: String) -> String {
        InlineText.parse(markdown).map { piece in
            switch piece {
            case .plain(let text): RoffText.plain(text)
            case .code(let text): RoffText.strong(text)
            case .strong(let text): RoffText.strong(InlineText.plain(text))
            case .emphasis(let text): RoffText.emphasis(text)
            case .link(let text, let url):
                url == text ? RoffText.verbatim(url) : "\(RoffText.plain(text)) (\(RoffText.verbatim(url)))"
            case .page(let page):
                reference(page).map { "\(RoffText.strong($0.name))(\($0.section))" } ?? RoffText.plain(page)
            }
        }.joined()
    }
}
