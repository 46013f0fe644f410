// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing
import claims_manual

/// The manual pages, as the programs see them that show them.
@Suite struct ManualRenderingTests {
    private static let hasGroff = (try? ManualFixture.run("groff", ["--version"])) ?? nil != nil
    private static let hasMandoc = (try? ManualFixture.run("mandoc", ["-T", "lint", "-W", "error"])) ?? nil != nil

    @Test(.enabled(if: hasGroff, "groff is not installed"), arguments: ManualPage.all.map(\.fileName))
    func `groff has nothing to warn about`(name: String) throws {
        let manual = try #require(ManualPage.all.first { $0.fileName == name })
        let roff = try ManualFixture.reference().roff(manual)
        let result = try #require(
            try ManualFixture.run("groff", ["-man", "-Tutf8", "-ww", "-rLL=80n", "-z"], input: roff))
        #expect(result.code == 0 && result.text == "", "\(result.text)")
    }

    @Test(.enabled(if: hasMandoc, "mandoc is not installed"), arguments: ManualPage.all.map(\.fileName))
    func `mandoc finds no errors`(name: String) throws {
        let manual = try #require(ManualPage.all.first { $0.fileName == name })
        let roff = try ManualFixture.reference().roff(manual)
        let result = try #require(try ManualFixture.run("mandoc", ["-T", "lint", "-W", "error"], input: roff))
        #expect(result.code == 0, "\(result.text)")
    }

    @Test(.enabled(if: hasGroff, "groff is not installed"))
    func `the keys of browse are a table whose lines fit a page of 80 columns`() throws {
        let manual = try #require(ManualPage.all.first { $0.fileName == "claimsctl-browse.1" })
        let roff = try ManualFixture.reference().roff(manual)
        let result = try #require(
            try ManualFixture.run("groff", ["-man", "-Tutf8", "-P-cbou", "-rLL=80n"], input: roff))
        let lines = result.text.split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.contains("Keys ") && $0.contains(" Where") })
        let table = lines[start...].prefix { !$0.contains("takes back what was done last") }
        #expect(table.count > 35)
        #expect(table.allSatisfy { DisplayWidth.cells(of: String($0)) <= 80 })
        #expect(table.contains { $0.contains("Home") && $0.contains("everywhere") })
    }

    @Test func `a page is plain ASCII and begins with its title, name and section`() throws {
        for manual in ManualPage.all {
            let text = try ManualFixture.reference().roff(manual)
            #expect(text.utf8.allSatisfy { $0 < 0x80 })
            #expect(text.hasPrefix(".TH \""))
            #expect(text.contains("\n.SH \"NAME\"\n"))
        }
    }

    @Test func `the program writes all pages`() throws {
        let folder = try TemporaryFolder()
        let outcome = try ControlProgram.run("claims-manual", [ManualFixture.folder, folder("man")])
        #expect(outcome.code == 0, "\(outcome.error)")
        #expect(try Directory.list(folder("man")).sorted() == ManualPage.all.map(\.fileName).sorted())
    }

    @Test func `a command line that makes no sense is refused with 2, a folder that is not there with 1`() throws {
        #expect(try ControlProgram.run("claims-manual", []).code == 2)
        #expect(try ControlProgram.run("claims-manual", ["--nonsense", "x"]).code == 2)
        #expect(try ControlProgram.run("claims-manual", ["/nowhere/at/all", "/tmp"]).code == 1)
    }
}
