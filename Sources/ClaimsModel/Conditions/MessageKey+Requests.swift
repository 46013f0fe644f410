// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension MessageKey {
    /// The texts about requests and pages. The switch in ``message`` sends only their keys here.
    var requestMessage: LocalizedText {
        switch self {
        case .reported:
            LocalizedText(
                en: "The server says in its answer, at {0}, that the request has failed",
                pl: "Serwer informuje w odpowiedzi, w {0}, że zapytanie się nie powiodło")
        case .answerOlder:
            LocalizedText(
                en: "The server's answer is {0} s older than the data here; a cache may have kept it",
                pl: "Odpowiedź serwera jest o {0} s starsza od danych tutaj; mógł ją przechować serwer pośredniczący")
        case .pagesEndless:
            LocalizedText(
                en: "The server's pages do not end before the limit of {0}",
                pl: "Strony serwera nie kończą się przed limitem {0}")
        case .pageCircle:
            LocalizedText(
                en: "The server's pages lead in a circle",
                pl: "Strony serwera prowadzą w kółko")
        case .pageRepeated:
            LocalizedText(
                en: "The server sends the same page again: it ignores the parameter that selects one",
                pl: "Serwer ponownie wysyła tę samą stronę: pomija parametr, który ją wybiera")
        case .pageCapped:
            LocalizedText(
                en: "The server's pages have {0} records, and not the {1} that 'size' says",
                pl: "Rekordów na stronie serwera jest {0}, a nie {1}, jak mówi „size”")
        case .moreUnclear:
            LocalizedText(
                en: "The server's answer has neither true nor false at {0}, so the end of its pages is unknown",
                pl: "Odpowiedź serwera nie ma w {0} ani true, ani false, więc koniec stron jest nieznany")
        case .cursorMissing:
            LocalizedText(
                en: "The server says that there are more pages, but has no cursor at {0}",
                pl: "Serwer informuje o kolejnych stronach, ale nie ma kursora w {0}")
        case .nextUnusable:
            LocalizedText(
                en: "The server's answer has nothing at {0} that leads on, but a value of the kind {1}",
                pl: "Odpowiedź serwera nie ma w {0} niczego, co prowadzi dalej; jest tam {1}")
        case .positionTooLong:
            LocalizedText(
                en: "The value at {0} in the server's answer is longer than {1} bytes",
                pl: "Wartość w {0} w odpowiedzi serwera ma więcej bajtów niż {1}")
        case .pauseTooLong:
            LocalizedText(
                en: "The waits that the server or its limits ask for do not fit into {0} s",
                pl: "Przerwy, których wymaga serwer lub jego limity, nie mieszczą się w {0} s")
        case .tlsUntrusted:
            LocalizedText(
                en: "The server's certificate is not trusted: {0}",
                pl: "Certyfikat serwera nie jest zaufany: {0}")
        case .tlsExpired:
            LocalizedText(
                en: "The server's certificate is not valid today",
                pl: "Certyfikat serwera nie jest dziś ważny")
        case .tlsName:
            LocalizedText(
                en: "The server's certificate is not for {0}",
                pl: "Certyfikat serwera nie jest wystawiony dla {0}")
        case .tlsClientCertificate:
            LocalizedText(
                en: "The server wants a client certificate, and got none that it accepts",
                pl: "Serwer wymaga certyfikatu klienta i nie otrzymał takiego, który przyjmuje")
        case .proxy:
            LocalizedText(
                en: "The proxy does not lead to the server: {0}",
                pl: "Serwer pośredniczący nie prowadzi do serwera: {0}")
        default: LocalizedText(en: "{0}", pl: "{0}")
        }
    }
}
