// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol

/// The errors that a connection answers with, before or instead of a handler.
extension RequestError {
    static func lineTooLong(maxBytes: Int) -> RequestError {
        RequestError(
            .tooLarge,
            TranslatedText(
                en: "a line is longer than \(maxBytes) bytes",
                pl: "wiersz jest za długi, może mieć co najwyżej tyle bajtów: \(maxBytes)"),
            hint: TranslatedText(
                en: "split the request; the rest of that line was skipped",
                pl: "podziel żądanie; reszta tego wiersza została pominięta"))
    }

    static let noMemoryForLine = RequestError(
        .busy,
        TranslatedText(
            en: "memory for lines is short, and your user has most of it in lines that have not ended",
            pl: "brakuje pamięci na wiersze, a najwięcej jej zajmują niezakończone wiersze Twojego użytkownika"),
        hint: TranslatedText(
            en: "connect again, and send the whole line at once",
            pl: "połącz się ponownie i wyślij od razu cały wiersz"),
        details: [RequestError.detail("retry_after_ms", 1_000)])

    static let tooManyConnections = RequestError(
        .busy, TranslatedText(en: "there are too many connections", pl: "jest zbyt wiele połączeń"),
        hint: TranslatedText(
            en: "close connections that are no longer needed, or try again later",
            pl: "zamknij niepotrzebne połączenia albo spróbuj ponownie później"),
        details: [RequestError.detail("retry_after_ms", 1_000)])

    static let duplicateRequestID = RequestError(
        .invalidRequest,
        TranslatedText(
            en: "a request with this id is still in flight", pl: "żądanie z tym identyfikatorem jest jeszcze w toku"),
        hint: RequestEnvelope.numberRequests)

    static let requestNotInFlight = RequestError(
        .notFound,
        TranslatedText(
            en: "no request with this id is in flight", pl: "żadne żądanie z tym identyfikatorem nie jest w toku"))

    static let changeNotCancellable = RequestError(
        .conflict,
        TranslatedText(
            en: "that request is a change that is being written, and cannot be taken back",
            pl: "to żądanie jest zmianą, która właśnie jest zapisywana, i nie można go cofnąć"),
        hint: TranslatedText(en: "wait for its answer", pl: "poczekaj na odpowiedź"))
}
