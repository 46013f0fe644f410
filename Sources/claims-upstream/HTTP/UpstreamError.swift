// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// A mistake of the caller: a bad option, a bad fault, an address in use.
struct UpstreamError: Error {
    let message: String

    init(_ message: String) { self.message = message }
    init(_ error: SystemError) { message = error.message }
}
