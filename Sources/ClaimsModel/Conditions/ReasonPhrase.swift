// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The causes that the C library, libcurl and this program give in English, in Polish.
public enum ReasonPhrase {
    /// The cause in Polish; of an unknown one the English words, in quotation marks.
    ///
    /// The words before a known cause, such as the attempt in `cannot open /x: Permission denied`, are left out: the
    /// message around it tells it.
    public static func polish(_ english: String) -> String {
        if english.isEmpty { return "" }
        if let known = known(english) { return known }
        for (index, character) in english.enumerated() where character == ":" {
            let rest = english.dropFirst(index + 1).drop { $0 == " " }
            if let known = known(String(rest)) { return known }
        }
        return "„\(english)”"
    }

    /// That an attempt has failed, in Polish, such as `nie powiodło się otwarcie /x` of `open /x`; an attempt at anything
    /// but a path is quoted.
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
        // This program.
        "it is empty": "są puste",
        "it is empty, or has characters that a header cannot hold": "są puste albo mają znaki niedozwolone w nagłówku",
        "a POST stays with its host": "żądanie POST zostaje u swojego serwera",
        "it is no text in UTF-8": "nie są tekstem w UTF-8",
        "it is no regular file": "to nie jest zwykły plik",
        "it has no certificate as PEM": "nie ma w nich certyfikatu w formacie PEM",
        "the connection ended within the headers": "połączenie skończyło się w nagłówkach",
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
