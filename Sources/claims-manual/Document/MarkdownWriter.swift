// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A writer of blocks as Markdown.
public enum MarkdownWriter {
    /// The longest line of a paragraph or list, in characters.
    private static let width = 120

    /// The blocks as Markdown, with an empty line between them and a newline at the end.
    public static func text(_ blocks: [Block]) -> String {
        blocks.map(text).joined(separator: "\n")
    }

    private static func text(_ block: Block) -> String {
        switch block {
        case .heading(let level, let title): String(repeating: "#", count: level) + " \(title)\n"
        case .paragraph(let text): wrapped(text, first: "", rest: "")
        case .code(let lines): "```\n" + lines.map { $0 + "\n" }.joined() + "```\n"
        case .list(let items, let isNumbered):
            items.enumerated().map { index, item in
                wrapped(item, first: isNumbered ? "\(index + 1). " : "- ", rest: isNumbered ? "   " : "  ")
            }.joined()
        case .table(let header, let rows):
            row(header) + row(header.map { _ in "---" }) + rows.map(row).joined()
        case .generated(let name): "\(GeneratedMark.markdown.opening(name))\n\(GeneratedMark.markdown.end)\n"
        }
    }

    private static func row(_ cells: [String]) -> String {
        "|" + cells.map { cell in " " + cell.replacing("|", with: "\\|") + " |" }.joined() + "\n"
    }

    private static func wrapped(_ text: String, first: String, rest: String) -> String {
        var lines = first
        var length = first.count
        for (index, word) in text.split(separator: " ").enumerated() {
            if index > 0 {
                let isTooLong = length + 1 + word.count > width
                lines += isTooLong ? "\n" + rest : " "
                length = isTooLong ? rest.count : length + 1
            }
            lines += word
            length += word.count
        }
        return lines + "\n"
    }
}
