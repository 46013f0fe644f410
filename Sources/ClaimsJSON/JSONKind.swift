// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The seven literal forms of a JSON value (RFC 8259, section 3).
public enum JSONKind: UInt8, Equatable, Sendable {
    case object, array, string, number, `true`, `false`, null

    /// Whether it is an object or an array.
    public var isContainer: Bool { rawValue < 2 }
}
