// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import Testing
import claims_manual

@Suite struct RoffWriterTests {
    private func roff(_ blocks: Block...) -> String {
        var writer = RoffWriter { $0 == "Stores" ? ("claimsd-stores", 7) : nil }
        writer.write(blocks)
        return writer.text
    }

    @Test func `no text becomes a request`() {
        #expect(roff(.paragraph(".so and 'so")) == ".PP\n\\&.so and \\(aqso\n")
        #expect(roff(.code([".TH evil", "'br"])).contains("\n\\&.TH evil\n\\(aqbr\n"))
    }

    @Test func `backslashes, tildes and carets stay what they are`() {
        #expect(roff(.paragraph("`\\n` ~ ^")) == ".PP\n\\fB\\en\\fR \\(ti \\(ha\n")
    }

    @Test func `a hyphen in code is a minus sign, in prose a hyphen`() {
        #expect(roff(.paragraph("re-made: `--check-config`")) == ".PP\nre-made: \\fB\\-\\-check\\-config\\fR\n")
    }

    @Test func `letters past ASCII are escaped by number`() {
        #expect(roff(.paragraph("Łódź…")) == ".PP\n\\[u0141]\\[u00F3]d\\[u017A]\\[u2026]\n")
    }

    @Test func `links keep their addresses, and pages become manual pages`() {
        #expect(roff(.paragraph("see <doc:Stores>")) == ".PP\nsee \\fBclaimsd\\-stores\\fR(7)\n")
        #expect(roff(.paragraph("[RFC](https://a.example/b-c)")) == ".PP\nRFC (https://a.example/b\\-c)\n")
    }

    @Test func `a table becomes a list of terms`() {
        let table = Block.table(
            header: ["Key", "Type", "Default", "Meaning"], rows: [["`ttl`", "span", "`5s`", "How long."]])
        #expect(roff(table) == ".TP\n\\fBttl\\fR (span, default \\fB5s\\fR)\nHow long.\n")
    }

    @Test func `the heading of a last column stands before its text, where that needs it`() {
        let folders = Block.table(
            header: ["Folder", "Root", "Other users"],
            rows: [["Cache", "`/var/cache`", "`~/.cache`"], ["Data", "x", ""]])
        #expect(
            roff(folders)
                == ".TP\n\\fBCache\\fR (root \\fB/var/cache\\fR)\nOther users: \\fB\\(ti/.cache\\fR\n"
                + ".TP\n\\fBData\\fR (root x)\n\\&\n")
        #expect(
            roff(.table(header: ["Folder", "Back it up?"], rows: [["State", "**Yes.**"]]))
                == ".TP\n\\fBState\\fR\nBack it up? \\fBYes.\\fR\n")
    }

    @Test func `an empty first cell of a table stands for the one above it`() {
        let table = Block.table(
            header: ["Kind", "`reason`", "Meaning"], rows: [["`tls`", "`name`", "a"], ["", "`expired`", "b"]])
        #expect(
            roff(table) == ".TP\n\\fBtls\\fR (\\fBreason\\fR \\fBname\\fR)\na\n"
                + ".TP\n\\fBtls\\fR (\\fBreason\\fR \\fBexpired\\fR)\nb\n")
    }

    @Test func `code within strong text has no marks`() {
        #expect(roff(.paragraph("**`detail`, 16.** x")) == ".PP\n\\fBdetail, 16.\\fR x\n")
    }

    @Test func `an operator that begins a line does not end the list`() {
        let table = Block.table(header: ["Operator", "Meaning"], rows: [["`.before=`", "less"]])
        #expect(roff(table) == ".TP\n\\fB.before=\\fR\nless\n")
    }

    @Test func `a table of keys stays a table, no wider than a page`() {
        let meaning = "Archive or unarchive. Needs the role archive, which not everybody has."
        let table = Block.table(
            header: ["Keys", "Meaning", "Where"],
            rows: [["`a`", meaning, "list, detail"], ["`PgUp` `^B`", "Previous page.", "everywhere"]])
        #expect(
            roff(table) == """
                .PP
                .nf
                \\fBKeys\\fR     \\fBMeaning\\fR                                          \\fBWhere\\fR
                \\fBa\\fR        Archive or unarchive. Needs the role archive,    list, detail
                         which not everybody has.
                \\fBPgUp \\(haB\\fR  Previous page.                                   everywhere
                .fi

                """)
    }
}
