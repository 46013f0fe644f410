// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsHTTP
import ClaimsModel

extension Message {
    /// The message of an attempt that ended without an answer.
    init(_ error: HTTPError, url: String, limits: HTTPLimits) {
        switch error.reason {
        case .invalidURL: self.init(.invalidURL, url)
        case .unknownHost: self.init(.unknownHost, error.peer ?? HTTPURL.authority(of: url))
        case .unreachable:
            switch error.cause {
            case .refused: self.init(.connectionRefused, error.peer ?? HTTPURL.authority(of: url))
            case .noRoute: self.init(.noRoute, error.peer ?? HTTPURL.authority(of: url))
            case .reset: self.init(.connectionClosed, error.peer ?? HTTPURL.authority(of: url))
            case .proxy: self.init(.proxy, error.detail)
            default: self.init(.unreachable, error.detail)
            }
        case .insecure: self.init(.tls, error.detail)
        case .timeout(.connect): self.init(.connectTimeout, "\(limits.connect.components.seconds)")
        case .timeout: self.init(.transferTimeout, "\(limits.total.components.seconds)")
        case .status: self.init(.httpStatus, HTTPStatus.text(error.status ?? 0))
        case .headersTooLarge: self.init(.headersTooLarge)
        case .malformed: self.init(.protocol, error.detail)
        case .encoding: self.init(.encoding, error.detail)
        case .truncated: self.init(.truncated, error.detail)
        case .file: self.init(.file, error.detail, "")
        case .cancelled: self.init(.writeInterrupted)
        default: self.init(.transfer, error.detail)
        }
    }
}
