// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// Holds deletes once there are many in a collection within a short time. Pure.
public struct DeleteGuard: Sendable, Equatable {
    /// How many deletes pass within the time.
    public var maxDeletes: Int
    /// In milliseconds.
    public var span: Int64

    public init(maxDeletes: Int, span: Int64) {
        self.maxDeletes = maxDeletes
        self.span = span
    }

    /// The time since which deletes count, in milliseconds since 1970.
    public func start(now: Int64) -> Int64 { now - span }

    /// An operation as it is committed first: a delete too many is held.
    ///
    /// - Parameter recent: the number of deletes of the collection that were submitted since ``start(now:)`` and that
    ///   this guard did not hold.
    public func admit(_ operation: Operation, recent: Int) -> Operation {
        guard operation.action == .delete, recent >= maxDeletes else { return operation }
        let message = Message(.writeGuarded, "\(maxDeletes)", "\(span / 1000)")
        return operation.with(.held, reason: .guard, message: message)
    }
}
