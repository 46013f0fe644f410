// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Who asks, as far as it matters for whose turn it is.
struct Asker: Hashable {
    let process: Int32
    /// A connection of the process.
    let connection: UInt64
}
