// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Testing
import claims_manual

@Suite struct ReferenceTests {
    @Test func `the tables in the reference are as the programs have them`() throws {
        let reference = try ManualFixture.reference()
        for page in try reference.pages() {
            #expect(
                try reference.updated(page) == reference.text(of: page),
                "\(page).md is out of date: make reference")
        }
    }

    @Test func `the parts of other files that are made from tables are as the programs have them`() throws {
        for file in GeneratedFile.all(root: Repository.root) {
            #expect(try file.updated() == file.text(), "\(file.path) is out of date: make reference")
        }
    }

    @Test func `every page that is referred to is there, and every manual page has its page`() throws {
        let reference = try ManualFixture.reference()
        let pages = Set(try reference.pages())
        for page in pages {
            for part in try reference.text(of: page).split(separator: "<doc:").dropFirst() {
                let name = String(part.prefix { $0 != ">" })
                #expect(pages.contains(name), "\(page).md refers to \(name)")
            }
        }
        for manual in ManualPage.all { #expect(pages.contains(manual.page)) }
    }

    @Test func `a part that nobody makes is an error`() throws {
        let parts = GeneratedParts(catalog: try ManualFixture.catalog())
        #expect(throws: ManualError.self) { try parts.blocks(of: "nothing of the kind") }
    }

    private static let hasDocc = (try? ManualFixture.run("docc", ["--help"])) ?? nil != nil

    @Test(.enabled(if: hasDocc, "docc is not installed"))
    func `docc has nothing to warn about`() throws {
        let folder = try TemporaryFolder()
        let result = try #require(
            try ManualFixture.run(
                "docc",
                [
                    "convert", ManualFixture.folder, "--fallback-display-name", "claimsd",
                    "--fallback-bundle-identifier", "claimsd", "--output-path", folder("out.doccarchive"),
                    "--warnings-as-errors",
                ]))
        #expect(result.code == 0, "\(result.text)")
    }
}
