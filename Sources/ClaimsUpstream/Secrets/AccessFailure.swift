// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
public import ClaimsModel
import ClaimsPlatform
import Glibc

/// The reason why a request of an upstream brought no answer.
public enum AccessFailure: Error, Sendable, Equatable {
    /// The transfer failed.
    case transfer(HTTPError)
    /// A secret is not available, or not accepted.
    ///
    /// - Parameter status: the status of the answer that refuses it; nil if there was none.
    case credential(FailureReason, Message, status: Int? = nil)
    /// The request for a token failed at the token server with this address.
    case token(HTTPError, url: String)
    /// A good answer of the token server that is not JSON, and so probably comes from another server.
    case tokenNotJSON(JSONError)
    /// The waits for the host, or the waits that it demanded, would take too long.
    case pause

    /// Whether the caller ended the request.
    public var isCancelled: Bool {
        if case .transfer(let error) = self { error.isCancelled } else { false }
    }
}

extension Message {
    /// The message of a transfer that failed, to read or to write.
    ///
    /// - Parameters:
    ///   - url: the address that was asked. The message has neither its query nor its user.
    ///   - limits: the limits of the transfer.
    public init(_ error: HTTPError, url: String, limits: TransferLimits) {
        let host = HTTPURL.authority(of: url)
        switch error.reason {
        case .invalidURL: self.init(.invalidURL, HTTPURL.withoutSecrets(url))
        case .unknownHost: self.init(.unknownHost, error.peer ?? host)
        case .unreachable:
            switch error.cause {
            case .refused: self.init(.connectionRefused, error.peer ?? host)
            case .noRoute: self.init(.noRoute, error.peer ?? host)
            case .reset: self.init(.connectionClosed, host)
            case .proxy: self.init(.proxy, error.detail)
            default: self.init(.unreachable, error.detail)
            }
        case .insecure:
            switch error.cause {
            case .untrusted: self.init(.tlsUntrusted, error.detail)
            case .expired: self.init(.tlsExpired)
            case .name: self.init(.tlsName, host)
            case .clientCertificate: self.init(.tlsClientCertificate)
            default: self.init(.tls, error.detail)
            }
        case .timeout(.connect): self.init(.connectTimeout, MessageArgument.seconds(limits.connect))
        case .timeout(.firstByte): self.init(.firstByteTimeout, MessageArgument.seconds(limits.firstByte))
        case .timeout(.transfer): self.init(.transferTimeout, MessageArgument.seconds(limits.transfer))
        case .status: self.init(.httpStatus, HTTPStatus.text(error.status ?? 0))
        case .tooManyRedirects(let limit): self.init(.tooManyRedirects, "\(limit)")
        case .redirectToPlain, .redirectElsewhere, .redirectOfPost, .redirectNowhere:
            self.init(.forbiddenRedirect, error.detail)
        case .bodyTooLarge(let limit): self.init(.bodyTooLarge, "\(limit)")
        case .expandsTooMuch(let times): self.init(.expandsTooMuch, "\(times)")
        case .unsolicitedNotModified: self.init(.unaskedNotModified)
        case .headersTooLarge: self.init(.headersTooLarge)
        case .malformed: self.init(.protocol, error.detail)
        case .encoding: self.init(.encoding, error.detail)
        case .credential: self.init(.credentialUnusable, host, error.detail)
        case .file: self.init(.file, HTTPURL.withoutSecrets(url), error.detail)
        case .spool(let number) where number == ENOSPC || number == EDQUOT: self.init(.storageFull)
        case .truncated: self.init(.truncated, error.detail)
        case .spool: self.init(.spool, error.detail)
        case .cancelled: self.init(.cancelled)
        case .other: self.init(.transfer, error.detail)
        }
    }
}

extension MessageArgument {
    /// The argument for a span of time, in seconds: `10`, or `0.5`.
    public static func seconds(_ span: Duration) -> String {
        let milliseconds = span.wholeMilliseconds
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)" : "\(Double(milliseconds) / 1000)"
    }
}
