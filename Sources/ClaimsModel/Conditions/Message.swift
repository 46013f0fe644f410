// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// A message for people, kept as a key with arguments and translated only when it is shown.
///
/// An argument is data, such as a status or an address, or one of ``MessageArgument``, which is translated with the
/// message. The text of a library's error is in English, so only English messages show it.
///
/// ```swift
/// let message = Message(.httpStatus, "404 Not Found")
/// message.text("pl")      // Serwer odpowiedział 404
/// ```
public struct Message: Sendable, Hashable {
    /// The key of the text, which has placeholders such as `{0}`.
    public let key: MessageKey
    /// The values of the placeholders `{0}`, `{1}` and so on, in this order.
    public let arguments: [String]

    public init(_ key: MessageKey, _ arguments: String...) {
        self.init(key, arguments: arguments)
    }

    public init(_ key: MessageKey, arguments: [String]) {
        self.key = key
        self.arguments = arguments
    }

    /// The message in `language`, or in English if it has no translation; see ``LocalizedText/text(_:)``.
    public func text(_ language: String) -> String {
        var text = ""
        var rest = key.message.text(language)[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open]
            if let index = Int(rest[rest.index(after: open)..<close]), arguments.indices.contains(index) {
                text += MessageArgument.text(arguments[index], of: key, language)
            }
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }

    /// The form in which a message is stored: an array of the key's name and the arguments, all strings.
    public var stored: JSONValue {
        .array([.string(key.rawValue)] + arguments.map { .string($0) })
    }

    /// Reads the stored form of a message; nil if it is malformed or has a key that this version does not know.
    public init?(stored: JSONValue) {
        guard case .array(let parts) = stored, case .string(let name)? = parts.first,
            let key = MessageKey(rawValue: name)
        else { return nil }
        var arguments: [String] = []
        for part in parts.dropFirst() {
            guard case .string(let argument) = part else { return nil }
            arguments.append(argument)
        }
        self.init(key, arguments: arguments)
    }
}

/// The keys of the messages about failed and held refreshes. The raw values are stored on disk, so they never change.
///
/// No message ends in a full stop, because most are shown inside another one.
public enum MessageKey: String, Sendable, Hashable, CaseIterable {
    /// The address cannot be fetched. {0}: the address, as configured or as the upstream gave it.
    case invalidURL = "invalid_url"
    /// The server cannot be reached. {0}: the reason.
    case unreachable
    /// The name of the server leads to no address. {0}: the name.
    case unknownHost = "unknown_host"
    /// Nobody listens at the address. {0}: the host and port.
    case connectionRefused = "connection_refused"
    /// No way leads to the address. {0}: the host and port.
    case noRoute = "no_route"
    /// The server closed the connection before it answered. {0}: the host and port.
    case connectionClosed = "connection_closed"
    /// The connection cannot be secured. {0}: the reason.
    case tls
    /// No connection was made in time. {0}: the limit in seconds.
    case connectTimeout = "connect_timeout"
    case firstByteTimeout = "first_byte_timeout"
    case transferTimeout = "transfer_timeout"
    /// The server answered with an error. {0}: the status and its phrase, as in `404 Not Found`.
    case httpStatus = "http_status"
    /// The server redirects too often. {0}: the limit.
    case tooManyRedirects = "too_many_redirects"
    /// The server redirects to a forbidden address. {0}: the target.
    case forbiddenRedirect = "forbidden_redirect"
    /// The answer is too large. {0}: the limit in bytes.
    case bodyTooLarge = "body_too_large"
    /// The answer has too many records. {0}: the limit.
    case tooManyRecords = "too_many_records"
    /// The answer expands too much when it is decompressed. {0}: the limit, as a ratio.
    case expandsTooMuch = "expands_too_much"
    /// The answer was cut short. {0}: the reason.
    case truncated
    /// The server breaks the rules of HTTP. {0}: the violation.
    case `protocol`
    case headersTooLarge = "headers_too_large"
    case unaskedNotModified = "unasked_not_modified"
    /// The answer cannot be decompressed. {0}: the reason.
    case encoding
    /// The answer is not JSON. {0}: the error and its offset.
    case notJSON = "not_json"
    /// The answer is JSON but no array. {0}: the kind of value found.
    case rootNotArray = "root_not_array"
    /// The records are not in an array. {0}: the JSON Pointer, {1}: the kind of value found.
    case pointerNotArray = "pointer_not_array"
    /// The answer has no value where the records should be. {0}: the JSON Pointer.
    case pointerMissing = "pointer_missing"
    /// The service has no such credential. {0}: the credential's name.
    case credentialMissing = "credential_missing"
    /// The credential cannot be read. {0}: its name, {1}: the reason.
    case credentialUnreadable = "credential_unreadable"
    /// Others may read the file of the credential. {0}: its name, {1}: what is wrong.
    case credentialMode = "credential_mode"
    /// The upstream does not accept the credential. {0}: the host, {1}: the status.
    case credentialRejected = "credential_rejected"
    /// The secret cannot be sent. {0}: the host that it is for, {1}: the reason.
    case credentialUnusable = "credential_unusable"
    /// The token server gives no token. {0}: its host, {1}: its error, or the status.
    case tokenRefused = "token_refused"
    /// The answer of the token server has no usable token. {0}: its host, {1}: the reason.
    case tokenUnusable = "token_unusable"
    /// The request for a token failed. {0}: the message of that failure.
    case tokenFailed = "token_failed"
    /// The file cannot be read. {0}: its path, {1}: the reason.
    case file
    /// The second request failed. {0}: the message of that failure.
    case join
    /// The upstream lost too many records at once. {0}: the records now, {1}: the records before.
    case heldShrunk = "held_shrunk"
    /// The upstream lost all its records. {0}: the records before.
    case heldEmpty = "held_empty"
    /// Too many records cannot be used. {0}: the records in quarantine, {1}: all records.
    case heldQuarantined = "held_quarantined"
    /// Too many ids are missing. {0}: the known records that are missing, {1}: the records before.
    case heldMissing = "held_missing"
    /// The same after a change of the address. {2}: the address before, {3}: the address now.
    case heldMissingElsewhere = "held_missing_elsewhere"
    /// Too many records cannot be used, after a change of the address. {2}: the address before, {3}: the address now.
    case heldQuarantinedElsewhere = "held_quarantined_elsewhere"
    case storageFull = "storage_full"
    /// Another program has locked the state database.
    case storageLocked = "storage_locked"
    /// The stored data cannot be used. {0}: the failure.
    case storage
    /// The answer cannot be written to a file. {0}: the reason.
    case spool
    case definitionChanging = "definition_changing"
    case cancelled
    /// The definition has no source any more; what was fetched before is served.
    case sourceGone = "source_gone"
    /// The transfer failed for another reason. {0}: the failure.
    case transfer
    /// The refresh failed for another reason. {0}: the whole message.
    case other

    // Of requests and pages: `MessageKey+Requests.swift` has their texts.
    /// The upstream says that the request has failed. {0}: where it says so.
    case reported
    /// There are more pages than the limit. {0}: the limit.
    case pagesEndless = "pages_endless"
    /// A page leads to an address or cursor that has been.
    case pageCircle = "page_circle"
    /// The second page is the first one again.
    case pageRepeated = "page_repeated"
    /// The pages are smaller than the definition says. {0}: their size, {1}: the size in the definition.
    case pageCapped = "page_capped"
    /// Nothing tells whether there is a further page. {0}: the pointer.
    case moreUnclear = "more_unclear"
    /// There is a further page, but no cursor. {0}: the pointer.
    case cursorMissing = "cursor_missing"
    /// The value that should lead on is neither text nor number. {0}: the pointer, {1}: the kind of value there.
    case nextUnusable = "next_unusable"
    /// The token that names the state of the data is too long. {0}: the pointer, {1}: the limit in bytes.
    case positionTooLong = "position_too_long"
    /// The waits would take too long. {0}: the limit in seconds.
    case pauseTooLong = "pause_too_long"
    /// Nobody whom we trust vouches for the server. {0}: the reason.
    case tlsUntrusted = "tls_untrusted"
    case tlsExpired = "tls_expired"
    /// The certificate is for another name. {0}: the name that was asked.
    case tlsName = "tls_name"
    case tlsClientCertificate = "tls_client_certificate"
    /// The proxy does not lead to the server. {0}: the reason.
    case proxy

    // Of writes: `MessageKey+Writing.swift` has their texts.
    /// The daemon ended while the request was under way.
    case writeInterrupted = "write_interrupted"
    /// The request may have been done, and the upstream does not promise to do it once. {0}: the failure, stored.
    case writeUnanswered = "write_unanswered"
    /// The request may have been done, and it is too late, or another address, to send it again.
    case writeUnrepeatable = "write_unrepeatable"
    /// The answer has no id of the new record. {0}: the status and its phrase.
    case writeWithoutID = "write_without_id"
    /// The answer has the id of another record. {0}: the id.
    case writeOfTakenID = "write_of_taken_id"
    /// The upstream has no such record any more.
    case writeOfGone = "write_of_gone"
    /// The upstream shows other values than before. {0}: the names of the fields.
    case writeOverChanged = "write_over_changed"
    /// No refresh has shown what the upstream accepted.
    case writeUnseen = "write_unseen"
    /// Too many records are deleted in a short time. {0}: how many may be, {1}: the time in seconds.
    case writeGuarded = "write_guarded"
    /// The new record that it refers to was given up. {0}: its id.
    case writeReferenceDropped = "write_reference_dropped"
    /// The definition does not offer it any more. {0}: the action.
    case writeNotOffered = "write_not_offered"
    /// The values do not fit the definition any more. {0}: the names of the fields.
    case writeUnfitting = "write_unfitting"
    /// Many requests to the upstream failed running.
    case writesFailing = "writes_failing"
}

extension MessageKey {
    /// The text of the message in each language, with its placeholders.
    ///
    /// The switch names every key, so a new key does not compile without its texts.
    public var message: LocalizedText {
        switch self {
        case .invalidURL:
            LocalizedText(
                en: "'{0}' is not an address that can be fetched (https, http or file)",
                pl: "„{0}” nie jest adresem, który można pobrać (https, http lub file)")
        case .unreachable:
            LocalizedText(en: "The server cannot be reached: {0}", pl: "Nie można połączyć się z serwerem")
        case .unknownHost:
            LocalizedText(
                en: "The server's name cannot be found: {0}", pl: "Nie można znaleźć nazwy serwera: {0}")
        case .connectionRefused:
            LocalizedText(en: "The server refused the connection ({0})", pl: "Serwer odmówił połączenia ({0})")
        case .noRoute:
            LocalizedText(en: "No route leads to the server ({0})", pl: "Do serwera nie prowadzi żadna droga ({0})")
        case .connectionClosed:
            LocalizedText(
                en: "The server closed the connection before it answered ({0})",
                pl: "Serwer zamknął połączenie przed odpowiedzią ({0})")
        case .tls:
            LocalizedText(
                en: "No secure connection to the server: {0}",
                pl: "Nie można nawiązać bezpiecznego połączenia z serwerem")
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
                en: "The server redirects more than {0} times",
                pl: "Serwer przekierowuje więcej niż {0} razy")
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
            LocalizedText(en: "The server's answer was cut short: {0}", pl: "Odpowiedź serwera została ucięta")
        case .protocol:
            LocalizedText(
                en: "The server does not keep to HTTP: {0}",
                pl: "Serwer nie przestrzega protokołu HTTP")
        case .headersTooLarge:
            LocalizedText(
                en: "The server's answer has more headers than the limit allows",
                pl: "Odpowiedź serwera ma więcej nagłówków, niż dopuszcza limit")
        case .unaskedNotModified:
            LocalizedText(
                en: "The server answered 304 Not Modified to a request that set no condition",
                pl: "Serwer odpowiedział 304 na żądanie bez warunku")
        case .encoding:
            LocalizedText(
                en: "The server's answer cannot be decompressed: {0}",
                pl: "Nie można rozpakować odpowiedzi serwera")
        case .notJSON:
            LocalizedText(en: "The server's answer is not JSON: {0}", pl: "Odpowiedź serwera nie jest JSON-em: {0}")
        case .rootNotArray:
            LocalizedText(
                en: "The server's answer is not an array of records, but of the kind {0}",
                pl: "Odpowiedź serwera nie jest tablicą rekordów; to {0}")
        case .pointerNotArray:
            LocalizedText(
                en: "The server's answer has no array of records at {0}, but a value of the kind {1}",
                pl: "Odpowiedź serwera nie ma tablicy rekordów w {0}; jest tam {1}")
        case .pointerMissing:
            LocalizedText(en: "The server's answer has nothing at {0}", pl: "Odpowiedź serwera nie ma niczego w {0}")
        case .credentialMissing:
            LocalizedText(
                en: "The service has no credential called '{0}'",
                pl: "Usługa nie ma danych uwierzytelniających o nazwie „{0}”")
        case .credentialUnreadable:
            LocalizedText(
                en: "The credential '{0}' cannot be read: {1}",
                pl: "Nie można odczytać danych uwierzytelniających „{0}”")
        case .credentialMode:
            LocalizedText(
                en: "The credential '{0}' is not private, so it is not used: {1}",
                pl: "Dane uwierzytelniające „{0}” nie są prywatne, więc nie zostały użyte")
        case .credentialRejected:
            LocalizedText(
                en: "{0} does not accept the credential: {1}",
                pl: "{0} nie przyjmuje danych uwierzytelniających: {1}")
        case .credentialUnusable:
            LocalizedText(
                en: "The credential for {0} cannot be used: {1}",
                pl: "Nie można użyć danych uwierzytelniających dla {0}")
        case .tokenRefused:
            LocalizedText(
                en: "The token server {0} gives no token: {1}", pl: "Serwer tokenów {0} nie wydaje tokenu: {1}")
        case .tokenUnusable:
            LocalizedText(
                en: "The token of the server {0} cannot be used: {1}",
                pl: "Nie można użyć tokenu wydanego przez serwer {0}")
        case .tokenFailed:
            LocalizedText(
                en: "The request for a token failed: {0}", pl: "Zapytanie o token nie powiodło się: {0}")
        case .file:
            LocalizedText(en: "The file {0} cannot be read: {1}", pl: "Nie można odczytać pliku {0}")
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
        case .heldMissing:
            LocalizedText(
                en: "{0} of {1} known records are missing: held until the server says so again or it is accepted",
                pl: "Brakuje {0} z {1} znanych rekordów: wstrzymano do potwierdzenia lub zaakceptowania")
        case .heldMissingElsewhere:
            LocalizedText(
                en: """
                    The address has changed from {2} to {3}, and {0} of {1} known records are missing: held until the \
                    server says so again or it is accepted
                    """,
                pl: """
                    Adres zmienił się z {2} na {3} i brakuje {0} z {1} znanych rekordów: wstrzymano do potwierdzenia \
                    lub zaakceptowania
                    """)
        case .heldQuarantinedElsewhere:
            LocalizedText(
                en: """
                    The address has changed from {2} to {3}, and {0} of {1} records cannot be used: held until the \
                    server says so again or it is accepted
                    """,
                pl: """
                    Adres zmienił się z {2} na {3} i {0} z {1} rekordów nie nadaje się do użycia: wstrzymano do \
                    potwierdzenia lub zaakceptowania
                    """)
        case .storageFull:
            LocalizedText(en: "There is no room left to store the data", pl: "Brakuje miejsca na zapisanie danych")
        case .storageLocked:
            LocalizedText(
                en: "Another program has locked the state database",
                pl: "Baza stanu jest zablokowana przez inny program")
        case .storage:
            LocalizedText(
                en: "The data stored here cannot be used: {0}",
                pl: "Nie można użyć zapisanych tu danych")
        case .spool:
            LocalizedText(
                en: "The server's answer cannot be written to a file: {0}",
                pl: "Nie można zapisać odpowiedzi serwera w pliku")
        case .definitionChanging:
            LocalizedText(
                en: "The definition keeps changing during the refresh",
                pl: "Definicja wciąż zmienia się podczas odświeżania")
        case .cancelled:
            LocalizedText(en: "The refresh was cancelled", pl: "Odświeżanie zostało anulowane")
        case .sourceGone:
            LocalizedText(
                en: "The definition has no source any more, so nobody asks for newer data",
                pl: "Definicja nie ma już źródła, więc nikt nie pyta o nowsze dane")
        case .transfer:
            LocalizedText(
                en: "The server's answer could not be fetched: {0}",
                pl: "Nie udało się pobrać odpowiedzi serwera")
        case .other:
            LocalizedText(en: "{0}", pl: "{0}")
        case .reported, .pagesEndless, .pageCircle, .pageRepeated, .pageCapped, .moreUnclear, .cursorMissing,
            .nextUnusable, .positionTooLong, .pauseTooLong, .tlsUntrusted, .tlsExpired, .tlsName,
            .tlsClientCertificate, .proxy:
            requestMessage
        case .writeInterrupted, .writeUnanswered, .writeUnrepeatable, .writeWithoutID, .writeOfTakenID, .writeOfGone,
            .writeOverChanged, .writeUnseen, .writeGuarded, .writeReferenceDropped, .writeNotOffered, .writeUnfitting,
            .writesFailing:
            writingMessage
        }
    }
}
