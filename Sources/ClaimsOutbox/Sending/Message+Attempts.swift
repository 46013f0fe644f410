// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsUpstream

extension Message {
    /// The message of an attempt that ended without an answer.
    init(attempt error: HTTPError, url: String, limits: HTTPLimits) {
        switch error.reason {
        case .cancelled: self.init(.writeInterrupted)
        // The file that was to be sent is kept by the daemon.
        case .file: self.init(.storage, error.detail)
        default: self.init(error, url: url, limits: limits)
        }
    }
}
