// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// Receives one answer from libcurl, and ends the transfer if a cap is reached.
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

    /// Accepts a header line; false ends the transfer.
    final func acceptHeader(_ line: RawSpan) -> Bool {
        hasBegun = true
        switch headers.accept(line) {
        case .more:
            return true
        case .tooMany:
            failure = HTTPError(.headersTooLarge, status: status)
            return false
        case .end:
            return acceptEndOfHeaders()
        }
    }

    /// Accepts the end of the headers before a body; false ends the transfer.
    func acceptEndOfHeaders() -> Bool { true }

    /// Accepts a decoded part of the body; false ends the transfer.
    func acceptBody(_ part: RawSpan) -> Bool { true }
}

/// Finds the reason of a failed TLS handshake in the messages that libcurl shows (RFC 8446, sections 4 and 6).
///
/// Only the messages show that a server wants a client's certificate: for libcurl a server that gets none and hangs up
/// is only a connection that ended.
struct TLSObserver {
    /// Whether the server has asked for a certificate of the client.
    private(set) var isAsked = false
    /// Whether the client has sent one.
    private(set) var hasAnswered = false
    /// The description of the alert with which the server ended the connection; nil for none.
    private(set) var alert: UInt8?

    private static let certificate: UInt8 = 11
    private static let certificateRequest: UInt8 = 13
    /// The size of a message without any certificate: a type, its length, a context and an empty list.
    private static let maxEmptyCertificate = 8
    private static let fatal: UInt8 = 2
    /// `close_notify`, the proper end of a connection.
    private static let closing: UInt8 = 0

    /// Observes one message of the protocol, without its record's head.
    mutating func observe(_ message: RawSpan, isReceived: Bool) {
        guard message.byteCount >= 2 else { return }
        let first = message.byte(at: 0)
        if message.byteCount == 2 {
            let description = message.byte(at: 1)
            if isReceived, first == Self.fatal, description != Self.closing { alert = description }
        } else if isReceived, first == Self.certificateRequest {
            (isAsked, hasAnswered) = (true, false)
        } else if !isReceived, first == Self.certificate, message.byteCount > Self.maxEmptyCertificate {
            hasAnswered = true
        }
    }

    /// Whether a connection that ended without an answer ended for want of a client's certificate.
    ///
    /// - Parameter isHandshake: whether it ended in the handshake.
    func blamesCertificate(isHandshake: Bool) -> Bool {
        if alert == Alert.certificateRequired.rawValue { return true }
        guard isAsked else { return false }
        if let alert { return Alert(rawValue: alert) != nil }
        return isHandshake || !hasAnswered
    }

    /// The alerts by which a server that has asked for a certificate refuses the answer.
    private enum Alert: UInt8 {
        case handshakeFailure = 40
        case noCertificate = 41
        case badCertificate = 42
        case unsupportedCertificate = 43
        case certificateRevoked = 44
        case certificateExpired = 45
        case certificateUnknown = 46
        case unknownAuthority = 48
        case accessDenied = 49
        case decryptError = 51
        case certificateRequired = 116
    }
}
