// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A test of a value's bytes as they came.
public enum RawMatch: Sendable, Hashable {
    case present
    /// Equal to any of these.
    case equals([[UInt8]])
    /// Has any of these in it.
    case contains([[UInt8]])
    /// Starts with any of these.
    case prefix([[UInt8]])
}
