// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsHTTP
import ClaimsModel
import ClaimsPlatform
import Glibc

extension FetchFailure {
    /// What a transfer's error means to people.
    init(_ error: HTTPError, _ target: FetchTarget) {
        let kind = FailureKind(rawValue: error.kind.rawValue) ?? .other
        self.init(
            kind, status: error.status, Self.message(error, target),
            retryAfter: error.retryAfter.map { Int64($0) * 1000 })
        isCancelled = error.kind == .cancelled
    }

    private static func message(_ error: HTTPError, _ target: FetchTarget) -> Message {
        switch error.reason {
        case .invalidURL: Message(.invalidURL, target.origin)
        case .unknownHost, .unreachable: Message(.unreachable, error.detail)
        case .insecure: Message(.tls, error.detail)
        case .timeout(.connect): Message(.connectTimeout, seconds(target.limits.connect))
        case .timeout(.firstByte): Message(.firstByteTimeout, seconds(target.limits.firstByte))
        case .timeout(.total): Message(.transferTimeout, seconds(target.limits.transfer))
        case .status: Message(.httpStatus, HTTPStatus.text(error.status ?? 0))
        case .tooManyRedirects(let limit): Message(.tooManyRedirects, "\(limit)")
        case .redirectToPlain, .redirectElsewhere, .redirectNowhere: Message(.forbiddenRedirect, error.detail)
        case .bodyTooLarge(let limit): Message(.bodyTooLarge, "\(limit)")
        case .expandsTooMuch(let times): Message(.expandsTooMuch, "\(times)")
        case .unsolicitedNotModified: Message(.unaskedNotModified)
        case .headersTooLarge: Message(.protocol, "its headers are too large")
        case .malformed: Message(.protocol, error.detail)
        case .encoding: Message(.encoding, error.detail)
        case .credential: Message(.credentialUnreadable, target.credential ?? "", error.detail)
        case .file: Message(.file, target.origin, error.detail)
        case .spool(let number) where number == ENOSPC || number == EDQUOT: Message(.storageFull)
        case .truncated: Message(.other, "The server's answer was cut short: \(error.detail)")
        case .spool, .cancelled, .other: Message(.other, error.detail)
        }
    }

    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = duration.wholeMilliseconds
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)" : "\(Double(milliseconds) / 1000)"
    }
}
