// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Where the data being served came from.
public enum DataSource: String, Sendable, Hashable, CaseIterable {
    /// Fetched by this process.
    case upstream
    /// Fetched by an earlier one.
    case cache
    /// Shipped with the program.
    case bundle
}
