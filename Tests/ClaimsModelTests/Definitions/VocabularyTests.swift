// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

struct VocabularyTests {
    @Test func `every code is found in every spelling that counts as equal`() throws {
        let codes = (0..<300).map { Code("CODE_\($0)_x-\($0 % 7)", rank: 300 - $0) }
        let vocabulary = try #require(Vocabulary(name: "many", codes: codes, fallback: "CODE_0_x-0"))
        for (index, code) in vocabulary.codes.enumerated() {
            #expect(vocabulary.index(matching: code.code) == index)
            #expect(vocabulary.index(matching: code.code.lowercased()) == index)
            #expect(vocabulary.index(matching: String(code.code.uppercased().map { $0 == "_" ? " " : $0 })) == index)
            #expect(vocabulary.index(matching: code.code + "_") == nil)
            #expect(vocabulary.index(matching: String(code.code.dropLast())) == nil)
        }
        #expect(vocabulary.index(matching: "") == nil)
    }

    @Test func `a vocabulary needs its fallback and codes that differ`() {
        #expect(Vocabulary(name: "v", codes: [Code("a")], fallback: "b") == nil)
        #expect(Vocabulary(name: "v", codes: [Code("a")], fallback: "a", absent: "b") == nil)
        #expect(Vocabulary(name: "v", codes: [Code("a"), Code("A")], fallback: "a") == nil)
        #expect(Vocabulary(name: "v", codes: [Code("é"), Code("É")], fallback: "é") == nil)
        #expect(Vocabulary(name: "v", codes: [Code("e"), Code("é")], fallback: "é") != nil)
    }

    @Test func `a text in several languages gives the one asked for, else English, else the first`() {
        let text = LocalizedText([.init(language: "en", text: "yes"), .init(language: "pl", text: "tak")])
        #expect(text.text("pl") == "tak")
        #expect(text.text("pl-PL") == "tak")
        #expect(text.text("PL_pl.UTF-8") == "tak")
        #expect(text.text("de") == "yes")
        #expect(text.text("C") == "yes")
        #expect(LocalizedText([.init(language: "fr", text: "oui")]).text("de") == "oui")
        #expect(LocalizedText([]).text("de") == "")
    }

    @Test(arguments: [
        ("READY_TO_GO", "Ready to go"), ("not_reachable_yet", "Not reachable yet"), ("made-at", "Made at"),
        ("OBD II", "Obd ii"), ("mixedCase_name", "MixedCase name"), ("", ""), ("łąka", "Łąka"),
    ])
    func `names become words`(name: String, words: String) {
        #expect(LocalizedText.humanized(name) == words)
    }
}
