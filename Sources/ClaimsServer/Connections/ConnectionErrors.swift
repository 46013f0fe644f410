// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol

extension Connection {
    /// Writes an error, which answers a request if there is an id; without a language of the request it is in that of the settings.
    func write(_ error: RequestError, id: [UInt8]?, in language: String? = nil, to buffers: inout LoopBuffers) {
        let language = language ?? loop.served.configuration.language
        if id != nil { loop.answers.add(1) }
        RequestRouter.write(error, id: id, in: language, to: &buffers.outgoing)
    }

    /// Writes a result; without a language of the request an error is in that of the settings.
    func write(_ result: RequestResult, id: [UInt8], in language: String? = nil, to buffers: inout LoopBuffers) {
        let language = language ?? loop.served.configuration.language
        loop.answers.add(1)
        RequestRouter.write(result, id: id, in: language, to: &buffers.outgoing)
    }
}

extension ErrorText {
    static let nameCollection = ErrorText(en: "name one in collection", pl: "podaj ją w collection")
}

/// The errors that a connection answers with, before or instead of a handler.
extension RequestError {
    static func lineTooLong(maxBytes: Int) -> RequestError {
        RequestError(
            .tooLarge,
            ErrorText(
                en: "a line is longer than \(maxBytes) bytes",
                pl: "wiersz jest za długi, może mieć co najwyżej tyle bajtów: \(maxBytes)"),
            hint: ErrorText(
                en: "split the request; the rest of that line was skipped",
                pl: "podziel żądanie; reszta tego wiersza została pominięta"))
    }

    static let noMemoryForLine = RequestError(
        .busy,
        ErrorText(
            en: "memory for lines is short, and your user has most of it in lines that have not ended",
            pl: "brakuje pamięci na wiersze, a najwięcej jej zajmują niezakończone wiersze Twojego użytkownika"),
        hint: ErrorText(
            en: "connect again, and send the whole line at once",
            pl: "połącz się ponownie i wyślij od razu cały wiersz"),
        details: [RequestError.detail("retry_after_ms", 1_000)])

    static let tooManyConnections = RequestError(
        .busy, ErrorText(en: "there are too many connections", pl: "jest zbyt wiele połączeń"),
        hint: ErrorText(
            en: "close connections that are no longer needed, or try again later",
            pl: "zamknij niepotrzebne połączenia albo spróbuj ponownie później"),
        details: [RequestError.detail("retry_after_ms", 1_000)])

    static let duplicateRequestID = RequestError(
        .invalidRequest,
        ErrorText(
            en: "a request with this id is still in flight", pl: "żądanie z tym identyfikatorem jest jeszcze w toku"),
        hint: RequestEnvelope.numberRequests)

    /// A defect: a selection of one collection has none.
    static let nothingSelected = RequestError(
        .internal,
        ErrorText(
            en: "a collection was named and none was selected", pl: "podano kolekcję, ale żadna nie została wybrana"))

    static let requestCancelled = RequestError(
        .cancelled, ErrorText(en: "the request was cancelled", pl: "żądanie zostało anulowane"))

    static let requestNotInFlight = RequestError(
        .notFound,
        ErrorText(
            en: "no request with this id is in flight", pl: "żadne żądanie z tym identyfikatorem nie jest w toku"))

    static let changeNotCancellable = RequestError(
        .conflict,
        ErrorText(
            en: "that request is a change that is being written, and cannot be taken back",
            pl: "to żądanie jest zmianą, która właśnie jest zapisywana, i nie można go cofnąć"),
        hint: ErrorText(en: "wait for its answer", pl: "poczekaj na odpowiedź"))
}
