// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing
import claims_manual

@Suite struct MarkdownTests {
    private let page = """
        # Title

        A paragraph of two
        lines with `code`.

        ## Section

        - one
        - two, which
          goes on

        1. first
        2. second

        | Key | Meaning |
        | --- | --- |
        | `a\\|b` | either |

        ```json5
        { a: 1 }

        # no heading
        ```
        """

    @Test func `every form that the reference uses is read`() {
        let blocks: [Block] = [
            .heading(level: 1, "Title"), .paragraph("A paragraph of two lines with `code`."),
            .heading(level: 2, "Section"), .list(["one", "two, which goes on"], isNumbered: false),
            .list(["first", "second"], isNumbered: true),
            .table(header: ["Key", "Meaning"], rows: [["`a|b`", "either"]]),
            .code(["{ a: 1 }", "", "# no heading"]),
        ]
        #expect(MarkdownReader.blocks(page) == blocks)
    }

    @Test func `what is written is read back as it was`() {
        let blocks = MarkdownReader.blocks(page)
        #expect(MarkdownReader.blocks(MarkdownWriter.text(blocks)) == blocks)
    }

    @Test func `a generated part is one block, whatever stands in it now`() {
        let text = """
            Before.

            <!-- generated: errors -->

            | old | row |
            <!-- end -->

            After.
            """
        let blocks: [Block] = [.paragraph("Before."), .generated("errors"), .paragraph("After.")]
        #expect(MarkdownReader.blocks(text) == blocks)
    }

    @Test func `a long paragraph is wrapped, and no word is lost`() {
        let words = (1...200).map { "word\($0)" }.joined(separator: " ")
        let text = MarkdownWriter.text([.paragraph(words)])
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
        #expect(MarkdownReader.blocks(text) == [.paragraph(words)])
    }
}
