// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// The unsettled operations, in a lane for each record. Pure.
///
/// The operations of a lane go in order, each once the one before is accepted and the record's id is known.
public struct Lanes: Sendable {
    /// The record of a lane.
    private struct Key: Hashable {
        var collection: String
        var record: String
    }

    private var lanes: [Key: [Operation]] = [:]
    private var keys: [OperationID: Key] = [:]

    public init(_ operations: [Operation] = []) { replace(operations) }

    /// The number of unsettled operations.
    public var count: Int { keys.count }

    public subscript(id: OperationID) -> Operation? {
        keys[id].flatMap { lanes[$0] }?.first { $0.id == id }
    }

    /// All operations, in the order of their commits.
    public var operations: [Operation] { lanes.values.joined().sorted { $0.number < $1.number } }

    /// Whether an operation on the collection is accepted, and waits to be seen.
    func hasAccepted(in collection: String) -> Bool {
        lanes.contains { $0.key.collection == collection && $0.value.contains { $0.state == .accepted } }
    }

    /// The queued operations that were submitted at `time` or before: how many, and when the oldest was.
    func queued(before time: Int64) -> (count: Int, oldest: Int64?) {
        var found: (count: Int, oldest: Int64?) = (0, nil)
        for lane in lanes.values {
            for operation in lane where operation.state == .queued && operation.submittedAt <= time {
                found.count += 1
                found.oldest = min(found.oldest ?? operation.submittedAt, operation.submittedAt)
            }
        }
        return found
    }

    /// The operations of a record, in the order of their commits.
    public func lane(of record: String, in collection: String) -> [Operation] {
        lanes[Key(collection: collection, record: record)] ?? []
    }

    /// Takes operations in as they are now; settled ones leave.
    public mutating func replace(_ operations: [Operation]) {
        for operation in operations {
            remove(operation.id)
            guard !operation.state.isSettled else { continue }
            let key = Key(collection: operation.collection, record: operation.record)
            keys[operation.id] = key
            var lane = lanes[key] ?? []
            let index = lane.firstIndex { $0.number > operation.number } ?? lane.endIndex
            lane.insert(operation, at: index)
            lanes[key] = lane
        }
    }

    /// Forgets operations.
    mutating func remove(_ operations: Set<OperationID>) {
        for id in operations { remove(id) }
    }

    private mutating func remove(_ id: OperationID) {
        guard let key = keys.removeValue(forKey: id) else { return }
        lanes[key]?.removeAll { $0.id == id }
        if lanes[key]?.isEmpty == true { lanes[key] = nil }
    }

    /// The operations whose turn it is in their lanes, in the order of their commits.
    public var heads: [Operation] {
        lanes.values.compactMap(head).sorted { $0.number < $1.number }
    }

    private func head(of lane: [Operation]) -> Operation? {
        // The id of a new record may come with a refresh only.
        guard let first = lane.first(where: { !$0.letsNextPass }), first.state == .queued else { return nil }
        return isReferenceKnown(first) ? first : nil
    }

    /// Whether the create that an operation refers to is accepted, and its id known.
    private func isReferenceKnown(_ operation: Operation) -> Bool {
        operation.delivery.waitsFor.flatMap { self[$0] }?.letsNextPass ?? true
    }
}
