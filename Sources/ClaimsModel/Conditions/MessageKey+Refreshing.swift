// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension MessageKey {
    /// The text of the message in each language, with its placeholders.
    ///
    /// The switch names every key, so a new key does not compile without its texts.
    public var message: TranslatedText {
        switch self {
        case .invalidURL:
            TranslatedText(
                en: "'{0}' is not an address that can be fetched (https, http or file)",
                pl: "„{0}” nie jest adresem, który można pobrać (https, http lub file)")
        case .unreachable:
            TranslatedText(en: "The server cannot be reached: {0}", pl: "Nie można połączyć się z serwerem: {0}")
        case .unknownHost:
            TranslatedText(
                en: "The server's name cannot be found: {0}", pl: "Nie można znaleźć nazwy serwera: {0}")
        case .connectionRefused:
            TranslatedText(en: "The server refused the connection ({0})", pl: "Serwer odmówił połączenia ({0})")
        case .noRoute:
            TranslatedText(en: "No route leads to the server ({0})", pl: "Do serwera nie prowadzi żadna droga ({0})")
        case .connectionClosed:
            TranslatedText(
                en: "The server closed the connection before it answered ({0})",
                pl: "Serwer zamknął połączenie przed odpowiedzią ({0})")
        case .tls:
            TranslatedText(
                en: "No secure connection to the server: {0}",
                pl: "Nie można nawiązać bezpiecznego połączenia z serwerem: {0}")
        case .connectTimeout:
            TranslatedText(
                en: "The server could not be connected to within {0} s",
                pl: "Nie udało się połączyć z serwerem w ciągu {0} s")
        case .firstByteTimeout:
            TranslatedText(
                en: "The server did not begin to answer within {0} s",
                pl: "Serwer nie zaczął odpowiadać w ciągu {0} s")
        case .transferTimeout:
            TranslatedText(
                en: "The server's answer was not complete within {0} s",
                pl: "Odpowiedź serwera nie była kompletna w ciągu {0} s")
        case .httpStatus:
            TranslatedText(en: "The server answered {0}", pl: "Serwer odpowiedział {0}")
        case .tooManyRedirects:
            TranslatedText(
                en: "The server redirects more than {0} times",
                pl: "Serwer przekierowuje więcej niż {0} razy")
        case .forbiddenRedirect:
            TranslatedText(
                en: "The server redirects to where we do not follow: {0}",
                pl: "Serwer przekierowuje w niedozwolone miejsce: {0}")
        case .bodyTooLarge:
            TranslatedText(
                en: "The server's answer is larger than the limit of {0} bytes",
                pl: "Odpowiedź serwera jest większa niż limit {0} bajtów")
        case .tooManyRecords:
            TranslatedText(
                en: "The server's answer has more records than the limit of {0}",
                pl: "Odpowiedź serwera ma więcej rekordów niż limit {0}")
        case .expandsTooMuch:
            TranslatedText(
                en: "The server's answer expands more than {0} times when it is decompressed",
                pl: "Odpowiedź serwera po rozpakowaniu jest ponad {0} razy większa")
        case .truncated:
            TranslatedText(en: "The server's answer was cut short: {0}", pl: "Odpowiedź serwera została ucięta: {0}")
        case .protocol:
            TranslatedText(
                en: "The server does not keep to HTTP: {0}",
                pl: "Serwer nie przestrzega protokołu HTTP: {0}")
        case .headersTooLarge:
            TranslatedText(
                en: "The server's answer has more headers than the limit allows",
                pl: "Odpowiedź serwera ma więcej nagłówków, niż dopuszcza limit")
        case .unaskedNotModified:
            TranslatedText(
                en: "The server answered 304 Not Modified to a request that set no condition",
                pl: "Serwer odpowiedział 304 na żądanie bez warunku")
        case .encoding:
            TranslatedText(
                en: "The server's answer cannot be decompressed: {0}",
                pl: "Nie można rozpakować odpowiedzi serwera: {0}")
        case .notJSON:
            TranslatedText(en: "The server's answer is not JSON: {0}", pl: "Odpowiedź serwera nie jest JSON-em: {0}")
        case .rootNotArray:
            TranslatedText(
                en: "The server's answer is not an array of records, but of the kind {0}",
                pl: "Odpowiedź serwera nie jest tablicą rekordów; to {0}")
        case .pointerNotArray:
            TranslatedText(
                en: "The server's answer has no array of records at {0}, but a value of the kind {1}",
                pl: "Odpowiedź serwera nie ma tablicy rekordów w {0}; jest tam {1}")
        case .pointerMissing:
            TranslatedText(en: "The server's answer has nothing at {0}", pl: "Odpowiedź serwera nie ma niczego w {0}")
        case .credentialMissing:
            TranslatedText(
                en: "The service has no credential called '{0}'",
                pl: "Usługa nie ma danych uwierzytelniających o nazwie „{0}”")
        case .credentialUnreadable:
            TranslatedText(
                en: "The credential '{0}' cannot be read: {1}",
                pl: "Nie można odczytać danych uwierzytelniających „{0}”: {1}")
        case .credentialMode:
            TranslatedText(
                en: "The credential '{0}' is not private, so it is not used: {1}",
                pl: "Dane uwierzytelniające „{0}” nie są prywatne, więc nie zostały użyte: {1}")
        case .credentialRejected:
            TranslatedText(
                en: "{0} does not accept the credential: {1}",
                pl: "{0} nie przyjmuje danych uwierzytelniających: {1}")
        case .credentialUnusable:
            TranslatedText(
                en: "The credential for {0} cannot be used: {1}",
                pl: "Nie można użyć danych uwierzytelniających dla {0}: {1}")
        case .tokenRefused:
            TranslatedText(
                en: "The token server {0} gives no token: {1}", pl: "Serwer tokenów {0} nie wydaje tokenu: {1}")
        case .tokenUnusable:
            TranslatedText(
                en: "The token of the server {0} cannot be used: {1}",
                pl: "Nie można użyć tokenu wydanego przez serwer {0}: {1}")
        case .tokenFailed:
            TranslatedText(
                en: "The request for a token failed: {0}", pl: "Zapytanie o token nie powiodło się: {0}")
        case .file:
            TranslatedText(en: "The file {0} cannot be read: {1}", pl: "Nie można odczytać pliku {0}: {1}")
        case .join:
            TranslatedText(
                en: "The second request, which fills in fields, failed: {0}",
                pl: "Drugie zapytanie, które uzupełnia pola, nie powiodło się: {0}")
        case .heldBack:
            TranslatedText(
                en: "The new data is held until the server says so again or it is accepted",
                pl: "Nowe dane wstrzymano do potwierdzenia lub zaakceptowania")
        case .heldShrunk:
            TranslatedText(
                en: """
                    The number of records has fallen from {1} to {0}: held until the server says so again or it is accepted
                    """,
                pl: "Liczba rekordów spadła z {1} do {0}: wstrzymano do potwierdzenia lub zaakceptowania")
        case .heldEmpty:
            TranslatedText(
                en: "The server has no records where there were {0}: held until it says so again or it is accepted",
                pl: "Serwer nie ma rekordów, a było {0}: wstrzymano do potwierdzenia lub zaakceptowania")
        case .heldQuarantined:
            TranslatedText(
                en: "{0} of {1} records cannot be used: held until the server says so again or it is accepted",
                pl: "{0} z {1} rekordów nie nadaje się do użycia: wstrzymano do potwierdzenia lub zaakceptowania")
        case .heldMissing:
            TranslatedText(
                en: "{0} of {1} known records are missing: held until the server says so again or it is accepted",
                pl: "Brakuje {0} z {1} znanych rekordów: wstrzymano do potwierdzenia lub zaakceptowania")
        case .heldMissingElsewhere:
            TranslatedText(
                en: """
                    The address has changed from {2} to {3}, and {0} of {1} known records are missing: held until the \
                    server says so again or it is accepted
                    """,
                pl: """
                    Adres zmienił się z {2} na {3} i brakuje {0} z {1} znanych rekordów: wstrzymano do potwierdzenia \
                    lub zaakceptowania
                    """)
        case .heldQuarantinedElsewhere:
            TranslatedText(
                en: """
                    The address has changed from {2} to {3}, and {0} of {1} records cannot be used: held until the \
                    server says so again or it is accepted
                    """,
                pl: """
                    Adres zmienił się z {2} na {3} i {0} z {1} rekordów nie nadaje się do użycia: wstrzymano do \
                    potwierdzenia lub zaakceptowania
                    """)
        case .storageFull:
            TranslatedText(en: "There is no room left to store the data", pl: "Brakuje miejsca na zapisanie danych")
        case .storageLocked:
            TranslatedText(
                en: "Another program has locked the state database",
                pl: "Baza stanu jest zablokowana przez inny program")
        case .storage:
            TranslatedText(
                en: "The data stored here cannot be used: {0}",
                pl: "Nie można użyć zapisanych tu danych: {0}")
        case .spool:
            TranslatedText(
                en: "The server's answer cannot be written to a file: {0}",
                pl: "Nie można zapisać odpowiedzi serwera w pliku: {0}")
        case .definitionChanging:
            TranslatedText(
                en: "The definition keeps changing during the refresh",
                pl: "Definicja wciąż zmienia się podczas odświeżania")
        case .cancelled:
            TranslatedText(en: "The refresh was cancelled", pl: "Odświeżanie zostało anulowane")
        case .sourceGone:
            TranslatedText(
                en: "The definition has no source any more, so nobody asks for newer data",
                pl: "Definicja nie ma już źródła, więc nikt nie pyta o nowsze dane")
        case .transfer:
            TranslatedText(
                en: "The server's answer could not be fetched: {0}",
                pl: "Nie udało się pobrać odpowiedzi serwera: {0}")
        case .other:
            TranslatedText(en: "{0}", pl: "{0}")
        case .reported, .answerOlder, .pagesEndless, .pageCircle, .pageRepeated, .pageCapped, .moreUnclear,
            .cursorMissing, .nextUnusable, .positionTooLong, .pauseTooLong, .tlsUntrusted, .tlsExpired, .tlsName,
            .tlsClientCertificate, .proxy:
            requestMessage
        case .fleetDamaged, .fleetAhead, .fleetSilent, .fleetHeadless, .fleetUnread, .fleetFailed, .fleetMarks,
            .fleetMarksReadOnly, .fleetMarksForeign:
            fleetMessage
        case .writeInterrupted, .writeUnanswered, .writeUnrepeatable, .writeWithoutID, .writeOfTakenID, .writeOfGone,
            .writeOverChanged, .writeUnseen, .writeGuarded, .writeReferenceDropped, .writeNotOffered, .writeUnfitting,
            .writesFailing:
            writingMessage
        }
    }
}
