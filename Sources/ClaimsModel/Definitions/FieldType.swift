// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What a field holds. The raw value is its name in definition files and in `describe`.
public enum FieldType: String, Sendable, Hashable, CaseIterable {
    /// The record's identity: text, whatever JSON type it came in, digit for digit. Orders naturally.
    case id
    /// Text. Orders by its folded form, then by its bytes.
    case text
    /// A code of a vocabulary. Orders by rank, then by code.
    case `enum`
    /// A whole number of any length.
    case integer
    /// An exact number with the digits it came with, never binary floating point.
    case decimal
    /// A moment (RFC 3339), kept in milliseconds.
    case instant
    /// A calendar day, `2026-11-20`.
    case date
    case bool
    /// Text that is an address. Orders by its bytes.
    case url
    /// Any JSON value, shown and never searched or sorted.
    case json

    /// Whether records can be put in order by a field of this type.
    public var isSortable: Bool { self != .json }

    /// Whether `~`, `^=` and free text apply.
    public var isTextual: Bool { self == .text || self == .id || self == .url }
}
