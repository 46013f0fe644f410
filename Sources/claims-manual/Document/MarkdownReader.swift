// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A reader of the Markdown that the reference uses: headings, paragraphs, lists of one level, tables and fenced code.
///
/// Every other form is read as a paragraph.
public struct MarkdownReader {
    private let lines: [Substring]
    private var position = 0

    private init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The blocks of a page, in order. A generated part becomes one block, and its present text is skipped.
    public static func blocks(_ text: String) -> [Block] {
        var reader = MarkdownReader(text)
        var blocks: [Block] = []
        while let block = reader.next() { blocks.append(block) }
        return blocks
    }

    private mutating func next() -> Block? {
        while position < lines.count, lines[position].isEmpty { position += 1 }
        guard position < lines.count else { return nil }
        let line = lines[position]
        if let name = GeneratedMark.markdown.name(opening: line) { return generated(name) }
        if line.hasPrefix("```") { return code() }
        if line.hasPrefix("#") { return heading() }
        if line.hasPrefix("|") { return table() }
        if Self.item(line) != nil { return list() }
        return paragraph()
    }

    private mutating func generated(_ name: String) -> Block {
        while position < lines.count, lines[position] != GeneratedMark.markdown.end { position += 1 }
        position += 1
        return .generated(name)
    }

    private mutating func code() -> Block {
        position += 1
        var code: [String] = []
        while position < lines.count, !lines[position].hasPrefix("```") {
            code.append(String(lines[position]))
            position += 1
        }
        position += 1
        return .code(code)
    }

    private mutating func heading() -> Block {
        let line = lines[position]
        position += 1
        let level = line.prefix { $0 == "#" }.count
        return .heading(level: level, String(line.dropFirst(level).drop { $0 == " " }))
    }

    private mutating func table() -> Block {
        var rows: [[String]] = []
        while position < lines.count, lines[position].hasPrefix("|") {
            rows.append(Self.cells(lines[position]))
            position += 1
        }
        // The second row holds nothing but dashes.
        return .table(header: rows[0], rows: Array(rows.dropFirst(2)))
    }

    private static func cells(_ line: Substring) -> [String] {
        var cells: [String] = []
        var cell = ""
        var isEscaped = false
        for character in line.dropFirst() {
            if character == "|", !isEscaped {
                cells.append(trimmed(cell))
                cell = ""
                continue
            }
            if character == "|" { cell.removeLast() }
            cell.append(character)
            isEscaped = character == "\\" && !isEscaped
        }
        return cells
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }

    /// The text of a list's item, and whether it has a number; nil: the line begins none.
    private static func item(_ line: Substring) -> (text: Substring, isNumbered: Bool)? {
        if line.hasPrefix("- ") { return (line.dropFirst(2), false) }
        let digits = line.prefix(while: \.isNumber)
        guard !digits.isEmpty, line.dropFirst(digits.count).hasPrefix(". ") else { return nil }
        return (line.dropFirst(digits.count + 2), true)
    }

    private mutating func list() -> Block {
        var items: [String] = []
        var isNumbered = false
        while position < lines.count {
            if let item = Self.item(lines[position]) {
                items.append(String(item.text))
                isNumbered = item.isNumbered
            } else if lines[position].hasPrefix("  ") {
                items[items.count - 1] += " " + lines[position].drop { $0 == " " }
            } else {
                break
            }
            position += 1
        }
        return .list(items, isNumbered: isNumbered)
    }

    private mutating func paragraph() -> Block {
        var text: [Substring] = []
        while position < lines.count, !lines[position].isEmpty, !lines[position].hasPrefix("```") {
            text.append(lines[position])
            position += 1
        }
        return .paragraph(text.joined(separator: " "))
    }
}
