// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsProtocol

/// The errors that a connection answers with, before or instead of a handler.
extension RequestError {
    static func lineTooLong(maxBytes: Int) -> RequestError {
        RequestError(
            .tooLarge, "a line is longer than \(maxBytes) bytes",
            hint: "split the request; the rest of that line was skipped")
    }

    static let tooMuchUnread = RequestError(
        .busy, "too much waits to be read, and this line is long",
        hint: "send it again later; the rest of it is skipped",
        details: [RequestError.detail("retry_after_ms", 1_000)])

    static let tooManyConnections = RequestError(
        .busy, "there are too many connections",
        hint: "close connections that are no longer needed, or try again later",
        details: [RequestError.detail("retry_after_ms", 1_000)])

    static let duplicateRequestID = RequestError(
        .invalidRequest, "a request with this id is still in flight", hint: "number the requests: 1, 2, 3")

    static let requestCancelled = RequestError(.cancelled, "the request was cancelled")

    static let requestNotInFlight = RequestError(.notFound, "no request with this id is in flight")

    static let changeNotCancellable = RequestError(
        .conflict, "that request is a change that is being written, and cannot be taken back",
        hint: "wait for its answer")
}
