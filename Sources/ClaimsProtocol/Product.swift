// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What this package calls itself.
package enum Product {
    /// The version of the daemon and its client, which are released together.
    package static let version = "0.1.0"
}
