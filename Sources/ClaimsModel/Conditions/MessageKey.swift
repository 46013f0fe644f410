// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

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
    /// No server listens at the address. {0}: the host and port.
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
    /// Other users may read the file of the credential. {0}: its name, {1}: the mistake.
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
    case heldBack = "held_back"
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
    /// The definition has no source any more; earlier data is still served.
    case sourceGone = "source_gone"
    /// The transfer failed for another reason. {0}: the failure.
    case transfer
    /// The refresh failed for another reason. {0}: the whole message.
    case other

    // Failures of requests and pages; `requestMessage` has their texts.
    /// The upstream reports that the request has failed. {0}: where it reports that.
    case reported
    /// The answer is older than the data here. {0}: the difference in seconds.
    case answerOlder = "answer_older"
    /// There are more pages than the limit. {0}: the limit.
    case pagesEndless = "pages_endless"
    /// A page leads to an address or cursor that has been.
    case pageCircle = "page_circle"
    /// The second page is the first one again.
    case pageRepeated = "page_repeated"
    /// The pages are smaller than in the definition. {0}: their size, {1}: the size in the definition.
    case pageCapped = "page_capped"
    /// The page does not show whether there is a further page. {0}: the pointer.
    case moreUnclear = "more_unclear"
    /// There is a further page, but no cursor. {0}: the pointer.
    case cursorMissing = "cursor_missing"
    /// The value that should lead on is neither text nor number. {0}: the pointer, {1}: the kind of value there.
    case nextUnusable = "next_unusable"
    /// The token that names the state of the data is too long. {0}: the pointer, {1}: the limit in bytes.
    case positionTooLong = "position_too_long"
    /// The waits would take too long. {0}: the limit in seconds.
    case pauseTooLong = "pause_too_long"
    /// No trusted authority vouches for the server. {0}: the reason.
    case tlsUntrusted = "tls_untrusted"
    case tlsExpired = "tls_expired"
    /// The certificate is for another name. {0}: the name that was asked.
    case tlsName = "tls_name"
    case tlsClientCertificate = "tls_client_certificate"
    /// The proxy does not lead to the server. {0}: the reason.
    case proxy

    // Failures of fleets; `MessageKey+Fleet.swift` has their texts.
    /// A head or file is damaged, or is not the one that its host has signed. {0}: the host, {1}: the mistake.
    case fleetDamaged = "fleet_damaged"
    /// A head is dated ahead of this clock. {0}: the host.
    case fleetAhead = "fleet_ahead"
    /// No head has come for too long. {0}: the host, {1}: the time in seconds.
    case fleetSilent = "fleet_silent"
    case fleetHeadless = "fleet_headless"
    /// No address of the fleet answers. {0}: the message of the newest failure.
    case fleetUnread = "fleet_unread"
    /// The host that asks for all has failed. {0}: the host, {1}: the kind, the reason and the status.
    case fleetFailed = "fleet_failed"
    /// The database of the shared archive marks cannot be used. {0}: the reason.
    case fleetMarks = "fleet_marks"
    /// The database of the shared archive marks may not be written. {0}: the number of marks that wait.
    case fleetMarksReadOnly = "fleet_marks_read_only"
    /// The database has the archive marks of another fleet. {0}: its name.
    case fleetMarksForeign = "fleet_marks_foreign"

    // Failures of writes; `writingMessage` has their texts.
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
    /// No refresh has shown an accepted write.
    case writeUnseen = "write_unseen"
    /// Too many records are deleted in a short time. {0}: the allowed number, {1}: the time in seconds.
    case writeGuarded = "write_guarded"
    /// The new record that it refers to was given up. {0}: its id.
    case writeReferenceDropped = "write_reference_dropped"
    /// The definition does not offer it any more. {0}: the action.
    case writeNotOffered = "write_not_offered"
    /// The values do not fit the definition any more. {0}: the names of the fields.
    case writeUnfitting = "write_unfitting"
    /// Many requests to the upstream failed in a row.
    case writesFailing = "writes_failing"
}

extension MessageKey {
    /// The texts about requests and pages. The switch in ``message`` sends only their keys here.
    var requestMessage: TranslatedText {
        switch self {
        case .reported:
            TranslatedText(
                en: "The server says in its answer, at {0}, that the request has failed",
                pl: "Serwer informuje w odpowiedzi, w {0}, że zapytanie się nie powiodło")
        case .answerOlder:
            TranslatedText(
                en: "The server's answer is {0} s older than the data here; a cache may have kept it",
                pl: "Odpowiedź serwera jest o {0} s starsza od danych tutaj; mógł ją przechować serwer pośredniczący")
        case .pagesEndless:
            TranslatedText(
                en: "The server's pages do not end before the limit of {0}",
                pl: "Strony serwera nie kończą się przed limitem {0}")
        case .pageCircle:
            TranslatedText(
                en: "The server's pages lead in a circle",
                pl: "Strony serwera prowadzą w kółko")
        case .pageRepeated:
            TranslatedText(
                en: "The server sends the same page again: it ignores the parameter that selects one",
                pl: "Serwer ponownie wysyła tę samą stronę: pomija parametr, który ją wybiera")
        case .pageCapped:
            TranslatedText(
                en: "The server's pages have {0} records, and not the {1} that 'size' says",
                pl: "Rekordów na stronie serwera jest {0}, a nie {1}, jak mówi „size”")
        case .moreUnclear:
            TranslatedText(
                en: "The server's answer has neither true nor false at {0}, so the end of its pages is unknown",
                pl: "Odpowiedź serwera nie ma w {0} ani true, ani false, więc koniec stron jest nieznany")
        case .cursorMissing:
            TranslatedText(
                en: "The server says that there are more pages, but has no cursor at {0}",
                pl: "Serwer informuje o kolejnych stronach, ale nie ma kursora w {0}")
        case .nextUnusable:
            TranslatedText(
                en: "The server's answer has nothing at {0} that leads on, but a value of the kind {1}",
                pl: "Odpowiedź serwera nie ma w {0} niczego, co prowadzi dalej; jest tam {1}")
        case .positionTooLong:
            TranslatedText(
                en: "The value at {0} in the server's answer is longer than {1} bytes",
                pl: "Wartość w {0} w odpowiedzi serwera ma więcej bajtów niż {1}")
        case .pauseTooLong:
            TranslatedText(
                en: "The waits that the server or its limits ask for do not fit into {0} s",
                pl: "Przerwy, których wymaga serwer lub jego limity, nie mieszczą się w {0} s")
        case .tlsUntrusted:
            TranslatedText(
                en: "The server's certificate is not trusted: {0}",
                pl: "Certyfikat serwera nie jest zaufany: {0}")
        case .tlsExpired:
            TranslatedText(
                en: "The server's certificate is not valid today",
                pl: "Certyfikat serwera nie jest dziś ważny")
        case .tlsName:
            TranslatedText(
                en: "The server's certificate is not for {0}",
                pl: "Certyfikat serwera nie jest wystawiony dla {0}")
        case .tlsClientCertificate:
            TranslatedText(
                en: "The server wants a client certificate, and got none that it accepts",
                pl: "Serwer wymaga certyfikatu klienta i nie otrzymał takiego, który przyjmuje")
        case .proxy:
            TranslatedText(
                en: "The proxy does not lead to the server: {0}",
                pl: "Serwer pośredniczący nie prowadzi do serwera: {0}")
        default: TranslatedText(en: "{0}", pl: "{0}")
        }
    }
}

extension MessageKey {
    /// The texts about operations. The switch in ``message`` sends only their keys here.
    var writingMessage: TranslatedText {
        switch self {
        case .writeInterrupted:
            TranslatedText(
                en: "The service ended before the server's answer came",
                pl: "Usługa zakończyła działanie, zanim nadeszła odpowiedź serwera")
        case .writeUnanswered:
            TranslatedText(
                en: "The server may have done it: {0}", pl: "Serwer mógł to wykonać: {0}")
        case .writeUnrepeatable:
            TranslatedText(
                en: "The server may have done it, and sending it again could do it twice",
                pl: "Serwer mógł to wykonać, a ponowne wysłanie mogłoby wykonać to drugi raz")
        case .writeWithoutID:
            TranslatedText(
                en: "The server answered {0} without the id of the new record",
                pl: "Serwer odpowiedział {0}, ale nie podał identyfikatora nowego rekordu")
        case .writeOfTakenID:
            TranslatedText(
                en: "The server gave the id '{0}', which another record has",
                pl: "Serwer podał identyfikator „{0}”, który ma już inny rekord")
        case .writeOfGone:
            TranslatedText(en: "The server no longer has the record", pl: "Serwer nie ma już tego rekordu")
        case .writeOverChanged:
            TranslatedText(
                en: "The record has changed at the server meanwhile: {0}",
                pl: "Rekord zmienił się w międzyczasie na serwerze: {0}")
        case .writeUnseen:
            TranslatedText(
                en: "The server accepted it, but does not show it",
                pl: "Serwer to przyjął, ale tego nie pokazuje")
        case .writeGuarded:
            TranslatedText(
                en: "More than {0} records were deleted within {1} s: an administrator must allow further ones",
                pl: "Usunięto ponad {0} rekordów w ciągu {1} s: na kolejne musi pozwolić administrator")
        case .writeReferenceDropped:
            TranslatedText(
                en: "It refers to the new record '{0}', which was given up",
                pl: "Odwołuje się do nowego rekordu „{0}”, z którego zrezygnowano")
        case .writeNotOffered:
            TranslatedText(
                en: "The definition no longer offers '{0}'",
                pl: "Definicja nie przewiduje już operacji „{0}”")
        case .writeUnfitting:
            TranslatedText(
                en: "The definition no longer allows these values: {0}",
                pl: "Definicja nie dopuszcza już tych wartości: {0}")
        case .writesFailing:
            TranslatedText(
                en: "Requests to the server fail one after the other",
                pl: "Kolejne żądania do serwera kończą się błędem")
        default: TranslatedText(en: "{0}", pl: "{0}")
        }
    }
}
