// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Fits text into a number of terminal cells. A grapheme cluster is never cut.
public enum Fitting {
    /// The mark at the end of text that was cut; it takes one cell.
    public static let ellipsis = "…"

    /// The text, cut to at most `cells` cells; text that was cut ends in an ellipsis.
    public static func truncate(_ text: String, to cells: Int) -> String {
        guard cells >= 1 else { return "" }
        // No text takes more cells than it has bytes.
        if text.utf8.count <= cells || DisplayWidth.cells(of: text) <= cells { return text }
        return String(prefix(of: text[...], cells - 1)).trimmedAtEnd() + ellipsis
    }

    /// The text, cut to its last `cells` cells; text that was cut begins with an ellipsis.
    public static func truncateStart(_ text: String, to cells: Int) -> String {
        guard cells >= 1 else { return "" }
        if text.utf8.count <= cells || DisplayWidth.cells(of: text) <= cells { return text }
        var start = text.endIndex
        var used = 1
        while start > text.startIndex {
            let previous = text.index(before: start)
            used += DisplayWidth.cells(of: text[previous])
            if used > cells { break }
            start = previous
        }
        return ellipsis + text[start...]
    }

    /// The text, filled with spaces to `cells` cells; wider text is returned as it is.
    ///
    /// - Parameter isRight: whether the spaces stand before the text.
    public static func pad(_ text: String, to cells: Int, isRight: Bool = false) -> String {
        let missing = cells - DisplayWidth.cells(of: text)
        guard missing > 0 else { return text }
        let spaces = String(repeating: " ", count: missing)
        return isRight ? spaces + text : text + spaces
    }

    /// Breaks the text at spaces into lines of at most `cells` cells, and at its own line feeds.
    ///
    /// Wide characters, such as those of Japanese, are words of their own. A word wider than a line stays whole, on a
    /// line of its own. If the text needs more than `lines` lines, the last one ends in an ellipsis.
    public static func wrap(_ text: String, to cells: Int, lines limit: Int = .max) -> [String] {
        let cells = max(1, cells)
        var lines: [String] = []
        for paragraph in paragraphs(text) {
            var rest = paragraph.drop { $0 == " " }
            let isASCII = paragraph.utf8.allSatisfy { $0 < 0x7F }
            repeat {
                let line = isASCII ? firstASCIILine(of: rest, cells) : firstLine(of: rest, cells)
                rest = rest[line.endIndex...].drop { $0 == " " }
                lines.append(String(line).trimmedAtEnd())
                if lines.count > limit { break }
            } while !rest.isEmpty
            if lines.count > limit { break }
        }
        guard lines.count > limit, limit > 0 else { return lines }
        lines.removeLast(lines.count - limit)
        let last = lines[limit - 1]
        lines[limit - 1] =
            DisplayWidth.cells(of: last) < cells ? last + ellipsis : truncate(last + ellipsis + ellipsis, to: cells)
        return lines
    }

    /// As ``wrap(_:to:lines:)``, but a word wider than a line is cut too, and ends in an ellipsis: for columns.
    public static func wrapCut(_ text: String, to cells: Int, lines limit: Int = .max) -> [String] {
        wrap(text, to: cells, lines: limit).map { truncate($0, to: max(1, cells)) }
    }

    /// As ``wrap(_:to:lines:)``, but a word wider than a line goes on in the next one: for what must not be cut.
    public static func wrapWhole(_ text: String, to cells: Int) -> [String] {
        let cells = max(1, cells)
        var lines: [String] = []
        for line in wrap(text, to: cells) {
            var rest = line[...]
            // Only what fits is measured each time: a word may have many thousand characters.
            while true {
                var end = prefix(of: rest, cells).endIndex
                if end == rest.endIndex { break }
                // A character wider than the line takes one by itself.
                if end == rest.startIndex { end = rest.index(after: end) }
                lines.append(String(rest[..<end]))
                rest = rest[end...]
            }
            lines.append(String(rest))
        }
        return lines
    }

    /// The text on one line or several, where each line after the first begins with `indent` spaces.
    public static func hang(_ text: String, to cells: Int, indent: Int) -> String {
        let lines = wrap(text, to: max(1, cells - indent))
        return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
    }

    private static func paragraphs(_ text: String) -> [Substring] {
        if !text.utf8.contains(UInt8(ascii: "\n")) { return [text[...]] }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The width of the widest word of the text, in cells; 0 for an empty text.
    public static func widestWord(_ text: String) -> Int {
        text.split(separator: " ").reduce(0) { max($0, DisplayWidth.cells(of: String($1))) }
    }

    /// As `firstLine`, for text whose bytes are its cells.
    private static func firstASCIILine(of text: Substring, _ cells: Int) -> Substring {
        let bytes = text.utf8
        guard bytes.count > cells else { return text }
        let space = UInt8(ascii: " ")
        let cut = bytes.index(bytes.startIndex, offsetBy: cells)
        if bytes[cut] == space { return text[..<cut] }
        let end = bytes[..<cut].lastIndex(of: space) ?? bytes[cut...].firstIndex(of: space) ?? bytes.endIndex
        return text[..<end]
    }

    private static func firstLine(of text: Substring, _ cells: Int) -> Substring {
        var used = 0
        var index = text.startIndex
        var lastBreak: Substring.Index?
        var isAfterWide = false
        while index < text.endIndex {
            let character = text[index]
            let width = DisplayWidth.cells(of: character)
            let mayBreak = character == " " || index > text.startIndex && (width > 1 || isAfterWide)
            if used + width > cells {
                if mayBreak { return text[..<index] }
                if let lastBreak { return text[..<lastBreak] }
            }
            if mayBreak { lastBreak = index }
            isAfterWide = width > 1
            used += width
            index = text.index(after: index)
        }
        return text
    }

    private static func prefix(of text: Substring, _ cells: Int) -> Substring {
        // A mark that joins the last character would not be ASCII.
        let start = text.utf8.prefix(cells + 1)
        if start.count == cells + 1, start.allSatisfy({ $0 < 0x7F }) {
            return text[..<text.utf8.index(text.startIndex, offsetBy: cells)]
        }
        var used = 0
        var end = text.startIndex
        while end < text.endIndex {
            used += DisplayWidth.cells(of: text[end])
            if used > cells { break }
            end = text.index(after: end)
        }
        return text[..<end]
    }
}

extension String {
    fileprivate func trimmedAtEnd() -> String {
        var end = endIndex
        while end > startIndex, self[index(before: end)] == " " { end = index(before: end) }
        return String(self[..<end])
    }
}
