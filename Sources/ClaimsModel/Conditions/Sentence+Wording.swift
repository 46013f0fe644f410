// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension Sentence {
    /// The sentence in each language it has been put into.
    public var wording: LocalizedText {
        switch self {
        case .invalidURL:
            LocalizedText(
                en: "'{0}' is not an address that can be fetched (https, http or file)",
                pl: "„{0}” nie jest adresem, który można pobrać (https, http lub file)")
        case .unreachable:
            LocalizedText(
                en: "The server cannot be reached: {0}", pl: "Nie można połączyć się z serwerem: {0}")
        case .tls:
            LocalizedText(
                en: "No secure connection to the server: {0}",
                pl: "Nie można nawiązać bezpiecznego połączenia z serwerem: {0}")
        case .connectTimeout:
            LocalizedText(
                en: "The server could not be connected to within {0} s",
                pl: "Nie udało się połączyć z serwerem w ciągu {0} s")
        case .firstByteTimeout:
            LocalizedText(
                en: "The server did not begin to answer within {0} s",
                pl: "Serwer nie zaczął odpowiadać w ciągu {0} s")
        case .transferTimeout:
            LocalizedText(
                en: "The server's answer was not complete within {0} s",
                pl: "Odpowiedź serwera nie była kompletna w ciągu {0} s")
        case .httpStatus:
            LocalizedText(en: "The server answered {0}", pl: "Serwer odpowiedział {0}")
        case .tooManyRedirects:
            LocalizedText(
                en: "The server redirects more than {0} times", pl: "Serwer przekierowuje więcej niż {0} razy")
        case .forbiddenRedirect:
            LocalizedText(
                en: "The server redirects to where we do not follow: {0}",
                pl: "Serwer przekierowuje w niedozwolone miejsce: {0}")
        case .bodyTooLarge:
            LocalizedText(
                en: "The server's answer is larger than the limit of {0} bytes",
                pl: "Odpowiedź serwera jest większa niż limit {0} bajtów")
        case .tooManyRecords:
            LocalizedText(
                en: "The server's answer has more records than the limit of {0}",
                pl: "Odpowiedź serwera ma więcej rekordów niż limit {0}")
        case .expandsTooMuch:
            LocalizedText(
                en: "The server's answer expands more than {0} times when it is decompressed",
                pl: "Odpowiedź serwera po rozpakowaniu jest ponad {0} razy większa")
        case .truncated:
            LocalizedText(
                en: "The server's answer ended after {0} of {1} bytes",
                pl: "Odpowiedź serwera urwała się po {0} z {1} bajtów")
        case .protocol:
            LocalizedText(
                en: "The server does not keep to HTTP: {0}", pl: "Serwer nie przestrzega protokołu HTTP: {0}")
        case .unaskedNotModified:
            LocalizedText(
                en: "The server answered 304 Not Modified to a request that set no condition",
                pl: "Serwer odpowiedział 304 Not Modified na żądanie bez warunku")
        case .encoding:
            LocalizedText(
                en: "The server's answer cannot be decompressed: {0}",
                pl: "Nie można rozpakować odpowiedzi serwera: {0}")
        default: furtherWording
        }
    }

    private var furtherWording: LocalizedText {
        switch self {
        case .notJSON:
            LocalizedText(
                en: "The server's answer is not JSON: {0}", pl: "Odpowiedź serwera nie jest JSON-em: {0}")
        case .rootNotArray:
            LocalizedText(
                en: "The server's answer is not an array of records, but of the kind {0}",
                pl: "Odpowiedź serwera nie jest tablicą rekordów, lecz wartością typu {0}")
        case .pointerNotArray:
            LocalizedText(
                en: "The server's answer has no array of records at {0}, but a value of the kind {1}",
                pl: "Odpowiedź serwera nie ma tablicy rekordów w {0}, lecz wartość typu {1}")
        case .pointerMissing:
            LocalizedText(
                en: "The server's answer has nothing at {0}", pl: "Odpowiedź serwera nie ma niczego w {0}")
        case .credentialMissing:
            LocalizedText(
                en: "The service has no credential called '{0}'",
                pl: "Usługa nie ma danych uwierzytelniających o nazwie „{0}”")
        case .credentialUnreadable:
            LocalizedText(
                en: "The credential '{0}' cannot be read: {1}",
                pl: "Nie można odczytać danych uwierzytelniających „{0}”: {1}")
        case .file:
            LocalizedText(en: "The file {0} cannot be read: {1}", pl: "Nie można odczytać pliku {0}: {1}")
        case .join:
            LocalizedText(
                en: "The second request, which fills in fields, failed: {0}",
                pl: "Drugie zapytanie, które uzupełnia pola, nie powiodło się: {0}")
        case .heldShrunk:
            LocalizedText(
                en: "The server has {0} records where there were {1}: held until it says so again or it is accepted",
                pl: "Serwer ma {0} rekordów, a było {1}: wstrzymano do potwierdzenia lub zaakceptowania")
        case .heldEmpty:
            LocalizedText(
                en: "The server has no records where there were {0}: held until it says so again or it is accepted",
                pl: "Serwer nie ma rekordów, a było {0}: wstrzymano do potwierdzenia lub zaakceptowania")
        case .heldQuarantined:
            LocalizedText(
                en: "{0} of {1} records cannot be used: held until the server says so again or it is accepted",
                pl: "{0} z {1} rekordów nie nadaje się do użycia: wstrzymano do potwierdzenia lub zaakceptowania")
        case .storageFull:
            LocalizedText(en: "There is no room left to store the data", pl: "Brakuje miejsca na zapisanie danych")
        default: LocalizedText(en: "{0}", pl: "{0}")
        }
    }
}
