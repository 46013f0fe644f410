// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport
import Testing

/// Errors in the language of the request, or of the settings.
@Suite struct LanguageTests {
    /// Requests that are refused, with the beginning of the message in English and in Polish.
    private static let refused: [(method: String, params: String, english: String, polish: String)] = [
        ("search", #""collection":"untis""#, "unknown collection 'untis'", "nieznana kolekcja „untis”"),
        ("search", #""collection":"units","filter":"statsu=ok""#, "unknown field 'statsu'", "nieznane pole „statsu”"),
        ("search", #""collection":"units","filter":"status=okk""#, "unknown code 'okk'", "nieznany kod „okk”"),
        ("search", #""collection":"units","filter":"status="#, "'status=' has no value", "po „status=” brakuje"),
        ("search", #""collection":"units","filter":["eq"]"#, "'eq' takes 2 operands", "liczba argumentów „eq” to 2"),
        ("search", #""collection":"units","sort":"nmae""#, "unknown sort key", "nieznany klucz sortowania"),
        ("search", #""collection":"units","limit":0"#, "parameter 'limit': expected", "parametr „limit”: oczekiwano"),
        ("search", #""colection":"units""#, "unknown parameter 'colection'", "nieznany parametr „colection”"),
        ("search", #""collection":"units","cursor":"x""#, "this cursor is not one of ours", "ten kursor nie pochodzi"),
        ("search", #""collection":"units","view":"x""#, "unknown view 'x'", "nieznany widok „x”"),
        ("search", #""collection":"units","stream":true,"sort":"x""#, "unknown sort key", "nieznany klucz"),
        ("detail", #""collection":"units","id":"404""#, "no unit has this id", "w kolekcji units nie ma rekordu"),
        ("serach", "", "unknown method 'serach'", "nieznana metoda „serach”"),
    ]

    private static func params(_ params: String, _ language: String?) -> String {
        let all = [params, language.map { #""lang":"\#($0)""# } ?? ""].filter { !$0.isEmpty }.map { part in
            // A filter that ends in its operator is still a string.
            part.hasSuffix("=") ? part + "\"" : part
        }
        return "{\(all.joined(separator: ","))}"
    }

    @Test func `errors and hints follow lang, and without it the setting`() throws {
        let english = try Site(["units": Site.units])
        let polish = try Site(["units": Site.units], site: ["claimsd.json5": #"{ language: "pl" }"#])
        for (site, setting) in [(english, "en"), (polish, "pl")] {
            let client = try site.daemon.connect()
            for language in [nil, "en", "pl", "pl-PL"] {
                for row in Self.refused {
                    let answer = try client.request(row.method, Self.params(row.params, language))
                    let message = try #require(answer.at("error", "message")?.string, "\(answer)")
                    let isPolish = (language ?? setting).hasPrefix("pl")
                    #expect(message.hasPrefix(isPolish ? row.polish : row.english), "\(row.params): \(message)")
                    guard let hint = answer.at("error", "data", "hint")?.string else { continue }
                    #expect(!isPolish || !hint.contains("did you mean"), "\(hint)")
                }
            }
        }
    }

    @Test func `events of a subscription follow its lang, and without it the setting`() throws {
        let site = try Site(["units": Site.units], site: ["claimsd.json5": #"{ language: "pl" }"#])
        try site.upstream.misbehave("units.json", #"{"status":500}"#)
        let subscribers = try [("en", false), ("en-GB", false), ("pl", true), ("", true)].map { row in
            let subscriber = Subscriber(try site.daemon.connect(), #""collection":"units""#)
            try subscriber.subscribe(row.0.isEmpty ? "" : #""lang":"\#(row.0)""#)
            return (subscriber: subscriber, isPolish: row.1)
        }
        _ = try site.daemon.connect().request("refresh", #"{"collection":"units","wait":true}"#)
        for (subscriber, isPolish) in subscribers {
            var event = try subscriber.next("state")
            while event["change"]?.string != "failed" { event = try subscriber.next("state") }
            let message = try #require(event.at("meta", "last_error", "message")?.string, "\(event)")
            #expect(message.hasPrefix(isPolish ? "Serwer" : "The server"), "\(message)")
        }
    }

    @Test func `what is no request is told of in the language of the settings`() throws {
        let site = try Site([:], site: ["claimsd.json5": #"{ language: "pl", limits: { line: "4K" } }"#])
        let client = try site.daemon.connect()
        for (line, message) in [
            ("{", "wiersz nie jest JSON-em: nieoczekiwany koniec w bajcie 1"), ("[]", "żądanie to jeden obiekt JSON"),
            (#"{"method":"ping"}"#, "żądanie nie ma identyfikatora, a na powiadomienia nie ma odpowiedzi"),
            (String(repeating: "x", count: 5000), "wiersz jest za długi, może mieć co najwyżej tyle bajtów: 4096"),
        ] {
            try client.send(line)
            let answer = try JSONValue.parse(try #require(try client.receive()))
            #expect(answer.at("error", "message")?.string == message, "\(answer)")
        }
    }
}
