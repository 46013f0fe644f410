// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// What libcurl's codes mean for a transfer.
enum CurlFailure {
    /// - Parameters:
    ///   - message: libcurl's own words, which name hosts and numbers but never a path or a header's value.
    ///   - hasAnswer: whether all headers have come.
    static func error(_ code: CURLcode, message: String, status: Int?, hasAnswer: Bool) -> HTTPError {
        HTTPError(reason(code, message: message, hasAnswer: hasAnswer), status: status, detail: message)
    }

    private static func reason(_ code: CURLcode, message: String, hasAnswer: Bool) -> HTTPError.Reason {
        switch code {
        case CURLE_URL_MALFORMAT:
            .invalidURL
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            .unknownHost
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_PROXY, CURLE_GOT_NOTHING, CURLE_SEND_ERROR:
            .unreachable
        case CURLE_OPERATION_TIMEDOUT:
            .timeout(.connect)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION,
            CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
            .insecure
        case CURLE_PARTIAL_FILE:
            .truncated
        case CURLE_BAD_CONTENT_ENCODING:
            .encoding
        case CURLE_RECV_ERROR:
            // One code for two things; only the words tell a broken chunk from a broken connection.
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
