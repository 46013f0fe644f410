// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What a body says about the records being served.
package struct IntakeCounts: Sendable, Equatable {
    /// The records in it that can be served.
    package var records = 0
    package var added = 0
    package var updated = 0
    package var removed = 0
    /// Those that cannot, earlier ones of one id included.
    package var quarantined = 0

    package init() {}

    /// Nothing is different for anyone who reads records.
    package var isUnchanged: Bool { added == 0 && updated == 0 && removed == 0 }
}
