// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsStore

/// The parts of the store that the outbox needs. Calls may be made on any thread, and block.
public protocol OutboxStore: Sendable {
    /// Unsettled operations as they are in state.db.
    typealias Lookup = (OperationID) -> Operation?

    /// All unsettled operations as they are published, in the order of their commits. It is quick, and may be called within ``observe(_:)``.
    var unsettledOperations: [Operation] { get }

    /// Registers an observer that is called after each commit that may have changed operations, before anybody hears of
    /// the commit. It must be quick.
    func observe(_ observer: @escaping @Sendable () -> Void)

    /// Changes operations in one transaction, and publishes what is served then.
    ///
    /// A new ``OperationDelivery/givenID`` renames the record: the operations of its lane and its archive mark get the new
    /// id, and the old one becomes an alias.
    ///
    /// - Parameter decide: gives each operation that changes as it is from then on. It is called within the transaction, so
    ///   that nobody else changes them between its look and the commit.
    /// - Returns: the operations that `decide` gave, once they are published and observed.
    func changeOperations(
        _ decide: @escaping @Sendable (_ lookup: Lookup) -> [Operation]
    ) throws(StoreError) -> [Operation]

    /// The number of the last attempt that was noted.
    func lastAttempt() throws(StoreError) -> Int64

    /// Notes the number of an attempt outside state.db, synced, before a byte of it leaves.
    func noteAttempt(_ number: Int64) throws(StoreError)

    /// Whether another new record than this operation's has the id that an upstream gave, or a record had it before the first
    /// attempt.
    ///
    /// - Parameter operation: as it is sent.
    func isTaken(_ id: String, by operation: Operation) -> Bool

    /// Whether the record of an operation that is being sent shows by now what somebody else has done.
    func isContradicted(_ operation: OperationID) -> Bool
}
