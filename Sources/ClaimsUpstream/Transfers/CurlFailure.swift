// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl
import ClaimsModel
import Glibc

/// The meaning of libcurl's codes for a transfer.
struct CurlFailure {
    /// The host that is asked.
    let host: String
    /// libcurl's own words, which name hosts and numbers but never a path or a header's value.
    let message: String
    /// The status of the answer; nil before it has come.
    let status: Int?
    /// Whether all headers have come.
    let hasAnswer: Bool
    let connection: EasyReading
    let tls: TLSObserver

    init(_ easy: borrowing EasyHandle, _ transfer: AnswerReceiver, host: String) {
        self.host = host
        message = easy.message
        status = transfer.status
        hasAnswer = transfer.headers.isComplete
        connection = easy.reading
        tls = transfer.tls
    }

    func error(_ code: CURLcode) -> HTTPError {
        if !hasAnswer, wantsCertificate(code) {
            return HTTPError(.insecure, detail: message, cause: .clientCertificate)
        }
        let reason = reason(code)
        let cause: FailureReason? =
            switch reason {
            case .unknownHost, .unreachable: connectionCause(code)
            case .insecure: securityCause(code)
            default: nil
            }
        return HTTPError(cause == .proxy ? .unreachable : reason, status: status, detail: message, cause: cause)
    }

    /// Whether the connection ended because a client's certificate is missing. A server may send an alert, or hang up
    /// while the request is sent or its answer is awaited.
    private func wantsCertificate(_ code: CURLcode) -> Bool {
        switch code {
        case CURLE_SSL_CLIENTCERT: true
        case CURLE_SSL_CONNECT_ERROR: tls.blamesCertificate(isHandshake: true)
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            tls.blamesCertificate(isHandshake: false)
        default: false
        }
    }

    private func connectionCause(_ code: CURLcode) -> FailureReason? {
        if isOfProxy(code) { return .proxy }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: return .dns
        case CURLE_COULDNT_CONNECT:
            switch Int32(clamping: connection.systemError) {
            case ECONNREFUSED: return .refused
            case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN: return .noRoute
            case ECONNRESET: return .reset
            default: return nil
            }
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR: return .reset
        default: return nil
        }
    }

    /// Whether the failure is a failure of a proxy and not of the host.
    private func isOfProxy(_ code: CURLcode) -> Bool {
        if code == CURLE_COULDNT_RESOLVE_PROXY || code == CURLE_PROXY { return true }
        let tunnel = connection.tunnelStatus
        if tunnel != 0, !(200..<300).contains(tunnel) { return true }
        guard code == CURLE_COULDNT_CONNECT, let peer = HTTPError(.unreachable, detail: message).peer else {
            return false
        }
        // libcurl names the host that it connects to; it names a host with letters beyond ASCII in another form.
        return Self.name(of: peer) != Self.name(of: host) && host.utf8.allSatisfy { $0 < 0x80 }
    }

    /// The host without a port, and an address without its brackets and zone.
    private static func name(of host: String) -> String {
        let isAddress = host.hasPrefix("[")
        return host.dropFirst(isAddress ? 1 : 0).prefix { !(isAddress ? "%]" : ":").contains($0) }.lowercased()
    }

    private func securityCause(_ code: CURLcode) -> FailureReason {
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION:
            switch connection.verification {
            case Verification.notYetValid.rawValue, Verification.expired.rawValue: .expired
            case Verification.otherName.rawValue, Verification.otherAddress.rawValue: .name
            // libcurl compares the names itself, once the chain of certificates is good.
            case _ where message.contains("subject name"): .name
            default: .untrusted
            }
        case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            .untrusted
        default: .handshake
        }
    }

    /// The results of verifying a chain of certificates (x509_vfy.h).
    private enum Verification: Int {
        case notYetValid = 9
        case expired = 10
        case otherName = 62
        case otherAddress = 64
    }

    private func reason(_ code: CURLcode) -> HTTPError.Reason {
        switch code {
        case CURLE_URL_MALFORMAT:
            .invalidURL
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            .unknownHost
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_PROXY, CURLE_GOT_NOTHING, CURLE_SEND_ERROR:
            .unreachable
        case CURLE_OPERATION_TIMEDOUT:
            .timeout(.connect)
        case CURLE_SSL_CERTPROBLEM:
            // The client's own certificate, or its key.
            .credential
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION,
            CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
            .insecure
        case CURLE_PARTIAL_FILE:
            .truncated
        case CURLE_BAD_CONTENT_ENCODING:
            .encoding
        case CURLE_RECV_ERROR:
            // One code for two things; only the words distinguish a broken chunk from a broken connection.
            message.contains("chunked-encoding") ? .malformed : hasAnswer ? .truncated : .unreachable
        case CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
            .malformed
        case CURLE_OUT_OF_MEMORY:
            // A header line longer than libcurl's own cap ends like this, too.
            hasAnswer ? .other : .headersTooLarge
        default:
            .other
        }
    }
}
