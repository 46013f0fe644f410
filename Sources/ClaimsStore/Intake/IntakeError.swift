// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// The changes that an answer brings to the records being served.
public struct IntakeCounts: Sendable, Equatable {
    /// The number of records in the answer that can be served.
    public var records = 0
    public var added = 0
    public var updated = 0
    public var removed = 0
    /// The number of records in which only volatile members differ.
    public var volatile = 0
    /// The number of records that cannot be served, including earlier records whose id a later one repeats.
    public var quarantined = 0

    public init() {}

    /// Whether each record is as it was, byte for byte as far as it counts.
    public var isUnchanged: Bool { added == 0 && updated == 0 && removed == 0 && volatile == 0 }
}

/// The reason why a body could not be taken in. None of its records are served; the intake can only be abandoned.
public enum IntakeError: Error, Sendable, Equatable {
    case notJSON(JSONError)
    /// The definition's root pointer finds no value in the body.
    case noRoot
    case rootIsNoArray(JSONKind)
    /// The value at the pointer, which is to have the ids of deleted records, is neither an array nor null.
    case deletedIsNoArray(JSONPointer, JSONKind)
    /// The body has more records than the limit, which is the associated value.
    case tooManyRecords(Int)
    case store(StoreError)
    /// The caller's `isCancelled` returned true.
    case cancelled

    public init(_ error: JSONRootError) {
        self =
            switch error {
            case .notJSON(let error): .notJSON(error)
            case .missing: .noRoot
            case .notAnArray(let kind): .rootIsNoArray(kind)
            }
    }
}
