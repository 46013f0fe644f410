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
        case .create: return record.fields != nil
        case .delete: return isGone
        case .update, .named:
            // The operations of a new record are not seen before it is.
            guard !lane[..<index].contains(where: { $0.action == .create && !$0.state.isSettled }) else { return false }
            guard let fields = record.fields else { return isGone }
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

    /// The reason why an operation that was not sent must not be sent any more; nil for none.
    var contradiction: Message? {
        guard operation.values.wasInSnapshot, !operation.delivery.isRecordSent else { return nil }
        guard let fields = record.fields else { return isGone ? Message(.writeOfGone) : nil }
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
            || earlierValues(of: field).contains { isEqual(field, value, $0) }
    }

    /// Whether a value is one from before the operation, which wanted another.
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

    /// Whether an accepted operation behind this one gives the field another value.
    private func isTouchedLater(_ field: String) -> Bool {
        lane[(index + 1)...].contains { later in
            (later.state == .accepted || later.state == .unconfirmed)
                && (later.action == .delete || later.wanted(field) != nil)
        }
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
