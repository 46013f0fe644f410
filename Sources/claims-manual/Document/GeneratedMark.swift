// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The lines around a part of a file that is made from the program's own tables.
///
/// ```swift
/// let text = try GeneratedMark.comment.updated(file) { name in try PythonParts.lines(of: name) }
/// ```
struct GeneratedMark: Sendable {
    private let start: String
    private let close: String
    /// The line after a part.
    let end: String

    /// `<!-- generated: NAME -->` and `<!-- end -->`, for pages of the reference.
    static let markdown = GeneratedMark(start: "<!-- generated: ", close: " -->", end: "<!-- end -->")
    /// `# generated: NAME` and `# end`, for files whose comments begin with a hash.
    static let comment = GeneratedMark(start: "# generated: ", close: "", end: "# end")
    /// `// generated: NAME` and `// end`, for JavaScript.
    static let script = GeneratedMark(start: "// generated: ", close: "", end: "// end")

    /// The line before a part.
    func opening(_ name: String) -> String { start + name + close }

    /// The name in an opening line, which may be set in; nil for any other.
    func name(opening line: some StringProtocol) -> String? {
        let line = line.drop { $0 == " " }
        guard line.hasPrefix(start), line.hasSuffix(close) else { return nil }
        return String(line.dropFirst(start.count).dropLast(close.count))
    }

    /// A text with its parts made anew.
    ///
    /// - Parameter part: the lines of the part with a name.
    /// - Throws: a `ManualError` for a part without an end, and what `part` throws.
    func updated(_ text: String, part: (String) throws -> [String]) throws -> String {
        var lines: [String] = []
        var isInside = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.drop(while: { $0 == " " }) == end { isInside = false }
            if !isInside { lines.append(String(line)) }
            guard let name = name(opening: line) else { continue }
            isInside = true
            lines += try part(name)
        }
        guard !isInside else { throw ManualError("a generated part has no end") }
        return lines.joined(separator: "\n")
    }
}
