// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import Testing

struct MessageTests {
    @Test func `a failure is told in a sentence with its particulars`() {
        let message = Message(.notJSON, "unexpected end at byte 4096")
        #expect(message.text("en") == "The server's answer is not JSON: unexpected end at byte 4096")
        #expect(message.text("pl") == "Odpowiedź serwera nie jest JSON-em: unexpected end at byte 4096")
        #expect(message.text("de") == message.text("en"))
        #expect(Message(.truncated, "10", "20").text("en") == "The server's answer ended after 10 of 20 bytes")
        #expect(Message(.other, "{0} braces stay {1}").text("en") == "{0} braces stay {1}")
        #expect(Message(.truncated, "10").text("en") == "The server's answer ended after 10 of  bytes")
    }

    @Test(arguments: Sentence.allCases)
    func `every sentence is there in English and Polish with the same particulars`(sentence: Sentence) {
        let wordings = sentence.wording.wordings
        #expect(wordings.map(\.language) == ["en", "pl"])
        let places = wordings.map { wording in ["{0}", "{1}", "{2}"].filter { wording.text.contains($0) } }
        #expect(places[0] == places[1])
        for wording in wordings {
            #expect(!wording.text.isEmpty && !wording.text.hasSuffix("."))
        }
        #expect(sentence == .other || sentence.wording.text("en") != "{0}")
    }

    @Test func `a message is kept and read again`() throws {
        let message = Message(.heldShrunk, "3", "1000")
        #expect(Message(stored: message.stored) == message)
        let text = try JSONValue.parse(#"["held_shrunk","3","1000"]"#)
        #expect(Message(stored: text) == message)
        for other in [#"["unheard_of"]"#, "[]", "{}", #"["tls",3]"#, "null"] {
            #expect(Message(stored: try JSONValue.parse(other)) == nil)
        }
    }

    @Test func `conditions have the protocol's names`() {
        #expect(
            FailureKind.allCases.map(\.rawValue) == [
                "invalid_url", "unreachable", "tls", "timeout", "http_status", "redirect", "too_large", "truncated",
                "protocol", "encoding", "not_json", "wrong_shape", "credential", "file", "join", "held", "other",
            ])
        #expect(CollectionState.allCases.map(\.rawValue) == ["loading", "ready", "empty", "failed", "unconfigured"])
        #expect(CollectionState.allCases.filter(\.hasData) == [.ready, .empty])
        #expect(Freshness.allCases.map(\.rawValue) == ["fresh", "stale", "expired", "bundle"])
        #expect(DataSource.allCases.map(\.rawValue) == ["upstream", "cache", "bundle"])
    }

    @Test func `data is fresh until its time to live, stale until it expires`() {
        let source = Source(interval: .seconds(10), expires: .seconds(60), root: JSONPointer(tokens: []))
        let ages = [-5, 0, 19, 20, 59, 60, 1_000_000].map { Freshness(age: .seconds($0), source: source) }
        #expect(ages == [.fresh, .fresh, .fresh, .stale, .stale, .expired, .expired])
    }
}
