// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
public import ClaimsModel
import ClaimsStore

/// The unsettled operations, in a lane for each record. Pure.
///
/// The operations of a lane are sent in order, each after the one before is accepted and the record's id is known.
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

    /// The number of the queued operations that were submitted at `time` or before, and the time of the oldest.
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

/// One operation with the others of its lane, and the upstream's record. Pure.
struct LaneView {
    let lane: [Operation]
    let index: Int
    let record: RecordEvidence
    let evidence: RefreshEvidence

    private var operation: Operation { lane[index] }

    /// Whether the upstream has the record no more, and has said so.
    private var isGone: Bool { record.fields == nil && (evidence.isComplete || record.isDeleted) }

    /// Whether the answer shows that an accepted operation was done.
    var isConfirmed: Bool {
        switch operation.action {
        case .create: return record.fields != nil || isDeletedLater
        case .delete: return isGone
        case .update, .named:
            // The operations of a new record are not seen before it is.
            guard !lane[..<index].contains(where: { $0.action == .create && !$0.state.isSettled }) else { return false }
            guard let fields = record.fields else { return isGone || isDeletedLater }
            return !operation.touched.contains { field in
                !isTouchedLater(field) && isOld(value(field, in: fields), of: field)
            }
        }
    }

    /// Whether the answer shows the operation's own values.
    var isShown: Bool {
        switch operation.action {
        case .create: return record.fields != nil && !operation.values.wasInSnapshot
        case .delete: return isGone
        case .update, .named:
            guard let fields = record.fields, !operation.touched.isEmpty else { return false }
            return operation.touched.allSatisfy { field in
                isEqual(field, value(field, in: fields), operation.wanted(field))
            }
        }
    }

    /// Whether the operation is a delete of a record that is gone, so that nothing is left to send.
    ///
    /// If no refresh has shown the record, only a refresh that began after the delete was sent proves that it is gone.
    var isDeletedAlready: Bool {
        guard operation.action == .delete, isGone else { return false }
        if operation.values.wasInSnapshot { return true }
        return operation.mayBeDone && evidence.began > operation.delivery.keyUse?.last ?? .max
    }

    /// The reason why an operation that was not sent must not be sent any more; nil for none.
    var contradiction: Message? {
        guard operation.values.wasInSnapshot, !operation.delivery.isRecordSent else { return nil }
        guard let fields = record.fields else {
            return isGone && operation.action != .delete ? Message(.writeOfGone) : nil
        }
        let changed = changedFields(fields)
        return changed.isEmpty ? nil : Message(.writeOverChanged, changed.joined(separator: ", "))
    }

    /// The touched fields whose value must come from other people's work.
    var changedFields: [String] { changedFields(record.fields ?? JSONObject()) }

    private func changedFields(_ fields: JSONObject) -> [String] {
        let names = operation.action == .delete ? operation.values.before.members.map(\.key) : operation.touched
        return names.filter { !isExpected(value($0, in: fields), of: $0) }
    }

    /// Whether the record could have a value without other people's work.
    private func isExpected(_ value: JSONValue, of field: String) -> Bool {
        isEqual(field, value, operation.wanted(field))
            || (earlierValues(of: field) + (operation.values.seen[field]?.array ?? [])).contains {
                isEqual(field, value, $0)
            }
    }

    /// Whether a value is from before the operation, which gave another one. A value that a refresh showed after the
    /// operation may have been done does not count: the upstream may have made it from the operation's value.
    private func isOld(_ value: JSONValue, of field: String) -> Bool {
        guard let wanted = operation.wanted(field), !isEqual(field, value, wanted) else { return false }
        return earlierValues(of: field).contains { isEqual(field, value, $0) }
    }

    /// The values that a field had at submission, and the values that earlier operations gave it.
    private func earlierValues(of field: String) -> [JSONValue] {
        var values = [operation.values.before[field] ?? .null] + (operation.values.inherited[field]?.array ?? [])
        for earlier in lane[..<index] { earlier.wanted(field).map { values.append($0) } }
        return values
    }

    /// Whether a later operation gives the field another value, and was accepted or may have been done.
    private func isTouchedLater(_ field: String) -> Bool {
        lane[(index + 1)...].contains { $0.mayBeDone && ($0.action == .delete || $0.wanted(field) != nil) }
    }

    /// Whether a later delete was accepted or may have been done, so that the effect of this operation cannot be seen.
    private var isDeletedLater: Bool {
        lane[(index + 1)...].contains { $0.action == .delete && $0.mayBeDone }
    }

    private func isEqual(_ field: String, _ value: JSONValue, _ other: JSONValue?) -> Bool {
        guard let other else { return false }
        guard let index = evidence.definition.fieldIndex(field) else { return value == other }
        return value == other || FieldComparison(evidence.definition).areEqual(value, other, field: index)
    }

    /// The value of a field in the form in which the record is served: the original text for a code that the vocabulary
    /// does not have.
    private func value(_ field: String, in fields: JSONObject) -> JSONValue {
        fields[field + ".raw"] ?? fields[field] ?? .null
    }
}
