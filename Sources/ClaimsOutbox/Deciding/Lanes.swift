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

    /// Forgets all operations of a collection.
    public mutating func remove(collection: String) {
        for (id, key) in keys where key.collection == collection { keys[id] = nil }
        lanes = lanes.filter { $0.key.collection != collection }
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
        for operation in lane {
            switch operation.state {
            case .accepted:
                // Its id may come with a refresh only.
                if operation.action == .create, operation.delivery.givenID == nil { return nil }
            case .queued: return isReferenceKnown(operation) ? operation : nil
            default: return nil
            }
        }
        return nil
    }

    /// Whether the create that an operation refers to is accepted, and its id known.
    private func isReferenceKnown(_ operation: Operation) -> Bool {
        guard let create = operation.delivery.waitsFor.flatMap({ self[$0] }) else { return true }
        return create.state == .accepted && create.delivery.givenID != nil
    }
}
