// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Something the caller of this program has to put right.
struct UpstreamError: Error {
    let message: String

    init(_ message: String) { self.message = message }
    init(_ error: SystemError) { message = error.message }
}
