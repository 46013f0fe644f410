// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON

/// A result that came in pages: an array of all of them, and the other members of the last one.
struct PagedResult {
    /// The elements of all pages.
    private(set) var elements: [AnswerValue] = []
    private let member: String
    private var last: AnswerValue?

    /// A result whose pages have this array.
    init(of member: String) { self.member = member }

    /// Appends a page; returns the number of its elements.
    mutating func append(_ page: AnswerValue) -> Int {
        let more = page[member]?.elements ?? []
        elements += more
        last = page
        return more.count
    }

    /// All pages as one answer, with the members of the last page.
    func joined() throws(CommandError) -> AnswerValue {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key(member)
        writer.beginArray()
        for element in elements { writer.raw(Array(element.source.utf8)) }
        writer.endArray()
        for (name, value) in last?.members ?? [] where name != member {
            writer.key(name)
            writer.raw(Array(value.source.utf8))
        }
        writer.endObject()
        return try AnswerValue.made(writer)
    }
}

extension AnswerValue {
    /// The value that was written here of parts of answers.
    static func made(_ writer: JSONWriter) throws(CommandError) -> AnswerValue {
        do throws(JSONError) {
            return try AnswerDocument(writer.bytes).root
        } catch {
            throw .client(.malformed(.noJSON(error)))
        }
    }
}

extension CommandContext {
    /// Prints a result of pages: under `jsonl` each element on a line of its own.
    ///
    /// - Parameter layout: adds the forms of other formats.
    func print(_ result: PagedResult, _ layout: (inout Presentation) -> Void) throws(CommandError) {
        guard format == .jsonl else {
            var presentation = Presentation(try result.joined())
            layout(&presentation)
            return try print(presentation)
        }
        let isTerminal = console.isTerminal
        try printing { () throws(OutputError) in
            for element in result.elements {
                let line = Array(element.source.utf8)
                let shown = isTerminal ? JSONLayout.terminalSafe(line) : line
                try console.write { $0 += shown + [UInt8(ascii: "\n")] }
            }
        }
    }
}
