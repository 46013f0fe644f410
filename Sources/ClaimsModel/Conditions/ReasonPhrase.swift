// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The causes that the C library, libcurl and this program give in English, in Polish.
public enum ReasonPhrase {
    /// The cause in a language: as it is, or looked up for Polish.
    static func text(_ english: String, _ language: String) -> String {
        LocalizedText.primaryLanguage(of: language) == "pl" ? polish(english) : english
    }

    /// The cause in both languages.
    public static func text(_ english: String) -> TranslatedText {
        TranslatedText(en: english, pl: polish(english))
    }

    /// The cause in Polish; for an unknown cause the English words, in quotation marks.
    ///
    /// The words before a known cause, such as the attempt in `cannot open /x: Permission denied`, are left out,
    /// because the message around it names the attempt.
    public static func polish(_ english: String) -> String {
        if english.isEmpty { return "" }
        if let known = known(english) { return known }
        for (index, character) in english.enumerated() where character == ":" {
            let rest = english.dropFirst(index + 1).drop { $0 == " " }
            if let known = known(String(rest)) { return known }
        }
        return "„\(english)”"
    }

    /// The failure of an attempt in Polish, such as `nie powiodło się otwarcie /x` for `open /x`; an attempt at
    /// anything but a path is quoted.
    public static func polish(failed attempt: String) -> String {
        let words = attempt.split(separator: " ", maxSplits: 1)
        guard words.count == 2, let noun = attempts[String(words[0])] else { return "nie powiodło się „\(attempt)”" }
        if words[1] == "standard input" { return "nie powiodło się \(noun) standardowego wejścia" }
        guard words[1].contains("/"), !words[1].contains(" ") else { return "nie powiodło się „\(attempt)”" }
        return "nie powiodło się \(noun) \(words[1])"
    }

    private static let attempts = [
        "open": "otwarcie", "read": "odczytanie", "write": "zapisanie", "make": "utworzenie", "start": "uruchomienie",
        "remove": "usunięcie", "rename": "przemianowanie", "list": "wypisanie", "lock": "zablokowanie",
        "sync": "utrwalenie", "map": "odczytanie", "watch": "obserwowanie",
    ]

    private static func known(_ english: String) -> String? {
        if let text = texts[english] { return text }
        if let beginning = beginnings.first(where: { english.hasPrefix($0.english) }) { return beginning.polish }
        // The details behind a cause are in English.
        if english.hasSuffix(")"), let open = english.firstRange(of: " ("),
            let text = texts[String(english[..<open.lowerBound])]
        {
            return text
        }
        // A phrase around one number or name.
        for (before, after, polish) in patterns where english.hasPrefix(before) && english.hasSuffix(after) {
            let value = english.dropFirst(before.count).dropLast(after.count)
            if !value.isEmpty, !value.contains(" ") { return polish + String(value) }
        }
        return nil
    }

    private static let patterns: [(before: String, after: String, polish: String)] = [
        ("its mode is ", ", expected 600", "powinny mieć prawa 600, a mają "),
        ("it belongs to the user with the number ", "", "należą do użytkownika o numerze "),
        ("transfer closed with ", " bytes remaining to read", "bajtów brakuje: "),
        ("end of response with ", " bytes missing", "bajtów brakuje: "),
        ("from https to ", "", "z https do "),
        ("", " has become shorter", "plik stał się krótszy: "),
        ("", " is not a regular file", "to nie jest zwykły plik: "),
        ("connection timed out after ", " milliseconds", "upłynął czas oczekiwania w ms: "),
        ("CONNECT tunnel failed, response ", "", "serwer pośredniczący odpowiedział "),
        ("Could not resolve proxy: ", "", "nie można znaleźć nazwy serwera pośredniczącego: "),
        ("neither https nor http: ", "", "to nie https ani http: "),
        ("", " ends a POST", "POST kończy się odpowiedzią "),
        ("", " no longer has its bytes of before", "plik ma inną treść niż przedtem: "),
        ("in use by process ", "", "używa jej proces "),
        ("error ", "", "błąd numer "),
    ]

    /// Causes whose ends are unclear to most readers.
    private static let beginnings = [
        (english: "Unrecognized content encoding type", polish: "nieznany sposób kompresji"),
        (english: "Error while processing content unencoding", polish: "uszkodzone dane skompresowane"),
        (english: "HTTP/2 stream ", polish: "serwer przerwał strumień HTTP/2"),
        (english: "Unsupported HTTP version", polish: "nieznana wersja HTTP"),
        (english: "OpenSSL SSL_connect: SSL_ERROR_SYSCALL", polish: "połączenie zerwane"),
        (english: "OpenSSL SSL_connect: Connection reset by peer", polish: "połączenie zerwane"),
        (english: "OpenSSL SSL_read: ", polish: "połączenie zerwane"),
    ]

    private static let texts: [String: String] = [
        // The C library.
        "No such file or directory": "nie ma takiego pliku ani folderu",
        "Not a directory": "to nie jest folder",
        "Is a directory": "to jest folder",
        "File exists": "już istnieje",
        "Permission denied": "brak dostępu",
        "Operation not permitted": "operacja niedozwolona",
        "Read-only file system": "system plików jest tylko do odczytu",
        "No space left on device": "brak miejsca na urządzeniu",
        "Disk quota exceeded": "przekroczono przydział miejsca",
        "File too large": "plik jest za duży",
        "Input/output error": "błąd wejścia lub wyjścia",
        "Too many levels of symbolic links": "zbyt wiele dowiązań",
        "File name too long": "nazwa jest za długa",
        "Too many open files": "otwarto zbyt wiele plików",
        "Too many open files in system": "otwarto zbyt wiele plików",
        "Connection refused": "połączenie odrzucone",
        "Connection reset by peer": "połączenie zerwane",
        "Broken pipe": "połączenie zerwane",
        "Connection timed out": "upłynął czas oczekiwania",
        "Network is unreachable": "sieć jest nieosiągalna",
        "No route to host": "nie prowadzi tam żadna droga",
        "Invalid or incomplete multibyte or wide character": "niepoprawne UTF-8",
        "Cannot allocate memory": "brak pamięci",
        "Invalid argument": "niepoprawny argument",
        "No such device or address": "nie ma takiego urządzenia ani adresu",
        "Address already in use": "adres jest zajęty",
        "Text file busy": "plik jest w użyciu",
        "Directory not empty": "folder nie jest pusty",
        "Exec format error": "to nie jest program",
        "its group cannot be kept": "nie można zachować grupy pliku",
        // OpenSSL, by way of libcurl.
        "self-signed certificate": "certyfikat podpisany przez samego siebie",
        "self-signed certificate in certificate chain": "w łańcuchu jest certyfikat podpisany przez samego siebie",
        "unable to get local issuer certificate": "nieznany urząd certyfikacji",
        "unable to get issuer certificate": "nieznany urząd certyfikacji",
        "unable to verify the first certificate": "nie można sprawdzić pierwszego certyfikatu",
        "certificate has expired": "certyfikat wygasł",
        "certificate is not yet valid": "certyfikat nie jest jeszcze ważny",
        "certificate revoked": "certyfikat unieważniono",
        "CA signature digest algorithm too weak": "podpis urzędu certyfikacji jest za słaby",
        "EE certificate key too weak": "klucz certyfikatu jest za słaby",
        "wrong version number": "to nie jest TLS",
        "Received HTTP/0.9 when not allowed": "to nie jest odpowiedź HTTP",
        "Empty reply from server": "serwer zamknął połączenie bez odpowiedzi",
        "Weird server reply": "to nie jest odpowiedź HTTP",
        "Header without colon": "nagłówek bez dwukropka",
        "Nul byte in header": "nagłówek ze znakiem NUL",
        "Invalid Content-Length: value": "niepoprawny nagłówek Content-Length",
        // This program.
        "it is empty": "są puste",
        "it is empty, or has characters that a header cannot hold": "są puste albo mają znaki niedozwolone w nagłówku",
        "not a URL": "to nie jest adres",
        "no host": "adres bez nazwy serwera",
        "the URL names a user": "adres z nazwą użytkownika",
        "a POST stays with its host": "żądanie POST zostaje u swojego serwera",
        "it is no text in UTF-8": "nie są tekstem w UTF-8",
        "it is no regular file": "to nie jest zwykły plik",
        "it has no certificate as PEM": "nie ma w nich certyfikatu w formacie PEM",
        "it has no private key as PEM": "nie ma w nich klucza prywatnego w formacie PEM",
        "its private key has a passphrase": "ich klucz prywatny jest zabezpieczony hasłem",
        "a token server cannot redirect": "serwer tokenów nie może przekierowywać",
        "the answer is not an object": "odpowiedź nie jest obiektem",
        "there is no 'access_token' of visible ASCII": "nie ma „access_token” z widocznych znaków ASCII",
        "its type is not 'bearer'": "jego typ to nie „bearer”",
        "the connection ended within the headers": "połączenie skończyło się w nagłówkach",
        // Files of this program.
        "no space left": "brak miejsca na urządzeniu",
        "not writable": "brak prawa zapisu",
        "no such file": "nie ma takiego pliku",
        "damaged": "dane są uszkodzone",
        "not a file of this program": "to nie jest plik tego programu",
        "something else is in its place": "na jego miejscu jest coś innego",
        "the disk does not read it, and it may be sound": "dysk ich nie odczytuje, choć mogą być dobre",
        "of another version": "to inna wersja",
        "not the file asked for": "to nie ten plik",
        "no such collection": "nie ma takiej kolekcji",
        "too large": "za dużo danych",
        "locked by another program": "blokada innego programu",
        "not begun in time": "nie zaczęto na czas",
        "closed": "zamknięto",
        "a defect of this program": "usterka tego programu",
        "failed": "nie powiodło się",
    ]
}

extension MessageKey {
    /// The index of the argument that is a cause in English words; nil of a message without one.
    public var causeIndex: Int? {
        switch self {
        case .unreachable, .tls, .truncated, .protocol, .encoding, .storage, .spool, .transfer, .tlsUntrusted, .proxy,
            .forbiddenRedirect:
            0
        case .credentialUnreadable, .credentialMode, .credentialUnusable, .tokenUnusable, .file: 1
        default: nil
        }
    }
}
