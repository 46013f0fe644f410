// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsStore

extension Snapshot {
    /// Has records fetched that will be read after the one at `index` of `rows`, so that they are there by then.
    ///
    /// Called for each index from 0 on. Records of one page lie anywhere, and waiting for one after the other takes longer
    /// than writing them.
    func fetchAhead(_ rows: [UInt32], at index: Int) {
        if index == 0 {
            for row in rows.prefix(2 * Self.ahead) { prefetchPlace(Int(row)) }
            for row in rows.prefix(Self.ahead) { prefetchDocument(Int(row)) }
        }
        if index + Self.ahead < rows.count { prefetchDocument(Int(rows[index + Self.ahead])) }
        if index + 2 * Self.ahead < rows.count { prefetchPlace(Int(rows[index + 2 * Self.ahead])) }
    }

    /// How many records ahead.
    private static var ahead: Int { 6 }
}
