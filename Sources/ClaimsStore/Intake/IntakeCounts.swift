// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What a body says about the records being served.
public struct IntakeCounts: Sendable, Equatable {
    /// The records in it that can be served.
    public var records = 0
    public var added = 0
    public var updated = 0
    public var removed = 0
    /// Those that cannot, earlier ones of one id included.
    public var quarantined = 0

    public init() {}

    /// Nothing is different for anyone who reads records.
    public var isUnchanged: Bool { added == 0 && updated == 0 && removed == 0 }
}
