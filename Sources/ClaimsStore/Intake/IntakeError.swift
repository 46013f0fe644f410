// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// Why a body could not be taken in. Nothing of it has been put into force.
public enum IntakeError: Error, Sendable, Equatable {
    case notJSON(JSONError)
    /// The pointer leads nowhere.
    case noRoot
    case rootIsNoArray(JSONKind)
    /// More records than the limit, which is given.
    case tooManyRecords(Int)
    case store(StoreError)
    /// The caller wanted it to end.
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
