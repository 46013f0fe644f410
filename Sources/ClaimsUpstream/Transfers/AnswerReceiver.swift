// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One answer: takes what libcurl hands over, and stops it where a cap is reached.
///
/// Used by one thread; a class because libcurl's callbacks need an address. By itself it drops the body.
class AnswerReceiver {
    private(set) var headers = ResponseHeaders()
    /// Whether a line of the headers has come.
    private(set) var hasBegun = false
    /// Why this side ended the transfer, if it did.
    var failure: HTTPError?
    /// Set for as long as the transfer runs.
    var received: EasyReading?
    /// The handshake of TLS, as far as it explains a failure.
    final var tls = TLSObserver()

    /// The status once all headers have come.
    var status: Int? { headers.isComplete ? headers.status : nil }

    /// Takes a header line; false ends the transfer.
    final func takeHeader(_ line: RawSpan) -> Bool {
        hasBegun = true
        switch headers.take(line) {
        case .more:
            return true
        case .tooMany:
            failure = HTTPError(.headersTooLarge, status: status)
            return false
        case .end:
            return takeEndOfHeaders()
        }
    }

    /// Takes the end of the headers before a body; false ends the transfer.
    func takeEndOfHeaders() -> Bool { true }

    /// Takes a decoded part of the body; false ends the transfer.
    func takeBody(_ part: RawSpan) -> Bool { true }
}
