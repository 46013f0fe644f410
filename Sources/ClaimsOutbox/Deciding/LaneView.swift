// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsStore

/// One operation among those of its lane, beside its record as the upstream has it. Pure.
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
    /// Of a record that no refresh has shown, only an answer that began after the delete was sent says so.
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

    /// The touched fields with a value that the record could not have without somebody else's doing.
    var changedFields: [String] { changedFields(record.fields ?? JSONObject()) }

    private func changedFields(_ fields: JSONObject) -> [String] {
        let names = operation.action == .delete ? operation.values.before.members.map(\.key) : operation.touched
        return names.filter { !isExpected(value($0, in: fields), of: $0) }
    }

    /// Whether a value is one that the record could have without anybody else's doing.
    private func isExpected(_ value: JSONValue, of field: String) -> Bool {
        isEqual(field, value, operation.wanted(field))
            || (earlierValues(of: field) + (operation.values.seen[field]?.array ?? [])).contains {
                isEqual(field, value, $0)
            }
    }

    /// Whether a value is one from before the operation, which wanted another. A value that a refresh showed after the
    /// operation may have been done is none: it may be what the upstream made of it.
    private func isOld(_ value: JSONValue, of field: String) -> Bool {
        guard let wanted = operation.wanted(field), !isEqual(field, value, wanted) else { return false }
        return earlierValues(of: field).contains { isEqual(field, value, $0) }
    }

    /// The values that a field had at submission, and those that operations before this one gave.
    private func earlierValues(of field: String) -> [JSONValue] {
        var values = [operation.values.before[field] ?? .null] + (operation.values.inherited[field]?.array ?? [])
        for earlier in lane[..<index] { earlier.wanted(field).map { values.append($0) } }
        return values
    }

    /// Whether an operation behind this one gives the field another value, and was accepted or may have been done.
    private func isTouchedLater(_ field: String) -> Bool {
        lane[(index + 1)...].contains { $0.mayBeDone && ($0.action == .delete || $0.wanted(field) != nil) }
    }

    /// Whether a delete behind this operation was accepted or may have been done, so that nobody can see this one.
    private var isDeletedLater: Bool {
        lane[(index + 1)...].contains { $0.action == .delete && $0.mayBeDone }
    }

    private func isEqual(_ field: String, _ value: JSONValue, _ other: JSONValue?) -> Bool {
        guard let other else { return false }
        guard let index = evidence.definition.fieldIndex(field) else { return value == other }
        return value == other || FieldComparison(evidence.definition).areEqual(value, other, field: index)
    }

    /// The value of a field among those that a record is served with: of a code that the vocabulary does not have, the
    /// text as it came.
    private func value(_ field: String, in fields: JSONObject) -> JSONValue {
        fields[field + ".raw"] ?? fields[field] ?? .null
    }
}
