// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import Testing

struct MessageTests {
    @Test func `a failure is told in a message with its arguments`() {
        let message = Message(.notJSON, MessageArgument.of(JSONError(.unexpectedEnd, at: 4096)))
        #expect(message.text("en") == "The server's answer is not JSON: unexpected end at byte 4096")
        #expect(message.text("pl") == "Odpowiedź serwera nie jest JSON-em: nieoczekiwany koniec w bajcie 4096")
        #expect(message.text("de") == message.text("en"))
        #expect(Message(.heldShrunk, "1", "9").text("en").hasPrefix("The number of records has fallen from 9 to 1:"))
        #expect(Message(.other, "{0} braces stay {1}").text("en") == "{0} braces stay {1}")
        #expect(Message(.heldShrunk, "1").text("en").hasPrefix("The number of records has fallen from  to 1:"))
    }

    @Test func `what a message tells within itself is in its language too`() {
        let kind = Message(.pointerNotArray, "/a", MessageArgument.of(JSONKind.false))
        #expect(kind.text("en").hasSuffix("a value of the kind bool"))
        #expect(kind.text("pl").hasSuffix("jest tam wartość logiczna"))
        let status = Message(.httpStatus, "404 Not Found")
        #expect(status.text("en") == "The server answered 404 Not Found")
        #expect(status.text("pl") == "Serwer odpowiedział 404")
        let join = Message(.join, MessageArgument.of(status))
        #expect(join.text("en").hasSuffix("failed: The server answered 404 Not Found"))
        #expect(join.text("pl").hasSuffix("nie powiodło się: Serwer odpowiedział 404"))
        // An earlier version stored them as English texts.
        #expect(Message(.join, "some text").text("pl").hasSuffix(": some text"))
        #expect(Message(.notJSON, "unexpected end at byte 3").text("en").hasSuffix(": unexpected end at byte 3"))
    }

    @Test(arguments: [
        ("cannot open /srv/x.json: No such file or directory", "nie ma takiego pliku ani folderu"),
        ("Permission denied", "brak dostępu"),
        ("SSL certificate problem: self-signed certificate", "certyfikat podpisany przez samego siebie"),
        ("its mode is 644, expected 600", "powinny mieć prawa 600, a mają 644"),
        ("transfer closed with 12 bytes remaining to read", "bajtów brakuje: 12"),
        ("cannot commit a refresh: damaged", "dane są uszkodzone"),
        ("cannot read the log: damaged (unknown cause)", "dane są uszkodzone"),
        ("cannot open /x: error 5", "błąd numer 5"), ("302 ends a POST", "POST kończy się odpowiedzią 302"),
        ("CONNECT tunnel failed, response 403", "serwer pośredniczący odpowiedział 403"),
        ("Unrecognized content encoding type. libcurl understands deflate", "nieznany sposób kompresji"),
        ("its private key has a passphrase", "ich klucz prywatny jest zabezpieczony hasłem"),
        ("Nobody has translated this: yet", "„Nobody has translated this: yet”"), ("", ""),
    ]) func `a cause in English words is told in Polish where it is known, and else quoted`(
        english: String, polish: String
    ) {
        #expect(ReasonPhrase.polish(english) == polish)
        let message = Message(.transfer, english)
        #expect(message.text("pl") == "Nie udało się pobrać odpowiedzi serwera" + (polish.isEmpty ? "" : ": \(polish)"))
        #expect(
            message.text("en") == "The server's answer could not be fetched" + (english.isEmpty ? "" : ": \(english)"))
    }

    @Test(arguments: [
        ("open /srv/x.json", "nie powiodło się otwarcie /srv/x.json"),
        ("read standard input", "nie powiodło się odczytanie standardowego wejścia"),
        ("make a pipe", "nie powiodło się „make a pipe”"), ("juggle /srv", "nie powiodło się „juggle /srv”"),
    ]) func `an attempt at a file is told in Polish, and any other quoted`(attempt: String, polish: String) {
        #expect(ReasonPhrase.polish(failed: attempt) == polish)
    }

    @Test(arguments: MessageKey.allCases)
    func `every message is there in English and Polish, with the same facts`(key: MessageKey) {
        let texts = [key.message.english, key.message.polish]
        let arguments = texts.map { text in ["{0}", "{1}", "{2}"].filter { text.contains($0) } }
        #expect(arguments[0] == arguments[1])
        for text in texts {
            #expect(!text.isEmpty && !text.hasSuffix("."))
        }
        #expect(key == .other || key.message.text("en") != "{0}")
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
                "protocol", "encoding", "not_json", "wrong_shape", "credential", "file", "join", "held", "reported",
                "late", "integrity", "clock", "other",
            ])
        #expect(
            CollectionState.allCases.map(\.rawValue) == [
                "loading", "ready", "empty", "failed", "unconfigured", "withheld",
            ])
        #expect(CollectionState.allCases.filter(\.hasData) == [.ready, .empty])
        #expect(Freshness.allCases.map(\.rawValue) == ["fresh", "stale", "expired", "bundle"])
        #expect(DataSource.allCases.map(\.rawValue) == ["upstream", "fleet", "cache", "bundle", "local"])
    }

    @Test func `data is fresh until its time to live, stale until it expires`() {
        let source = Source(interval: .seconds(10), expires: .seconds(60))
        let ages = [-5, 0, 19, 20, 59, 60, 1_000_000].map { Freshness(age: .seconds($0), source: source) }
        #expect(ages == [.fresh, .fresh, .fresh, .stale, .stale, .expired, .expired])
    }
}
