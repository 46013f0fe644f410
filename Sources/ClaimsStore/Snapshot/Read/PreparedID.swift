// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// An id that one snapshot is about to be asked for.
///
/// A record lies in two places of memory, of which the first tells the second. Who looks for several takes each step for
/// all of them before the next: so they wait for memory together, not one after the other.
public struct PreparedID: Sendable {
    let code: UInt64
    /// Whether the record has been asked for.
    var isFetched = false

    init(code: UInt64) {
        self.code = code
    }

    /// None that was prepared.
    public init() {
        code = 0
    }
}
