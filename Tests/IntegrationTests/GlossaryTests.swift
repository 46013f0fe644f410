// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// Names in `Sources` keep to the glossary of CONTRIBUTING.md.
@Suite struct GlossaryTests {
    /// Runs of pieces in which a word has another, standard sense.
    private static let allowed = [
        ["n", "gram"], ["n", "grams"],
        // Methods of the standard library's Atomic.
        ["exchange"], ["compare", "exchange"],
    ]

    /// The last column of the table: each entry as the pieces of a name.
    private func forbidden() throws -> [[String]] {
        let text = try Files.readText(Paths.join(Repository.root, "CONTRIBUTING.md"), cap: 1 << 20)
        let lines = text.split(separator: "\n").drop { $0 != "## Words" }.dropFirst().prefix { !$0.hasPrefix("## ") }
        var found: [[String]] = []
        for line in lines where line.hasPrefix("|") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            guard cells.count == 5 else { throw TestFailure("not three cells: \(line)") }
            let quoted = cells[3].split(separator: "`", omittingEmptySubsequences: false).enumerated()
            for (index, part) in quoted where index % 2 == 1 {
                found.append(part.split(separator: " ").map(String.init))
            }
        }
        return found
    }

    @Test func `no name in Sources has a word that the glossary replaces`() throws {
        let forbidden = Dictionary(grouping: try forbidden(), by: { $0[0] })
        try #require(forbidden.count > 40)
        let known = Cache(forbidden)
        for file in try SourceTree.files() {
            let hits = SwiftNames.of(file.text).union([file.baseName]).sorted().compactMap { known.hit(in: $0) }
            #expect(hits.isEmpty, "\(file.path): \(hits.joined(separator: ", ")); see CONTRIBUTING.md, Words")
        }
        #expect(known.count > 5000)
    }

    /// Looks every name up once.
    private final class Cache {
        private let forbidden: [String: [[String]]]
        private var hits: [String: String?] = [:]

        init(_ forbidden: [String: [[String]]]) { self.forbidden = forbidden }

        var count: Int { hits.count }

        /// The name with the word that is wrong in it; nil if all are right.
        func hit(in name: String) -> String? {
            if let known = hits[name] { return known }
            let hit = GlossaryTests.firstHit(in: name, forbidden).map { "\(name) (\($0))" }
            hits.updateValue(hit, forKey: name)
            return hit
        }
    }

    fileprivate static func firstHit(in name: String, _ forbidden: [String: [[String]]]) -> String? {
        var pieces = SwiftNames.pieces(of: name)[...]
        while let first = pieces.first {
            if let run = allowed.first(where: { pieces.starts(with: $0) }) {
                pieces = pieces.dropFirst(run.count)
                continue
            }
            if let hit = forbidden[first]?.first(where: { pieces.starts(with: $0) }) {
                return hit.joined(separator: " ")
            }
            pieces = pieces.dropFirst()
        }
        return nil
    }

    @Test func `names are found outside comments and literals, and inside interpolations`() {
        let text = """
            // comment
            /* one /* two */ three */ let value = "text \\(call(inner, "nested \\(deep)")) more" + #"raw "quote" \\#(raw)"#
            #if DEBUG
            """
        #expect(SwiftNames.of(text) == ["let", "value", "call", "inner", "deep", "raw", "if", "DEBUG"])
    }

    @Test func `a name is cut into its words`() {
        #expect(SwiftNames.pieces(of: "maxURLCount") == ["max", "url", "count"])
        #expect(SwiftNames.pieces(of: "JSONText") == ["json", "text"])
        #expect(SwiftNames.pieces(of: "letGo") == ["let", "go"])
        #expect(SwiftNames.pieces(of: "utf8_word2") == ["utf", "8", "word", "2"])
        #expect(SwiftNames.pieces(of: "A") == ["a"])
    }
}
