// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What this package calls itself.
public enum Product {
    /// The version of the daemon and its client, which are released together.
    public static let version = "0.1.0"
}
