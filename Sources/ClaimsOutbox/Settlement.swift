// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
public import ClaimsModel
import ClaimsPlatform
public import ClaimsStore

/// Finds the operations that a refresh confirms and those that it contradicts. Pure.
public struct Settlement: OperationSettler {
    public init() {}

    public func settle(_ operations: [Operation], by evidence: RefreshEvidence) -> [Operation] {
        var lanes: [String: [Operation]] = [:]
        for operation in operations where !operation.state.isSettled {
            lanes[operation.record, default: []].append(operation)
        }
        var changed: [Operation] = []
        for lane in lanes.values {
            let before = lane.sorted { $0.number < $1.number }
            var after = before
            for index in after.indices { settle(&after, at: index, by: evidence) }
            confirmBeforeDelete(&after)
            changed += zip(before, after).compactMap { $0 == $1 ? nil : $1 }
        }
        return changed.sorted { $0.number < $1.number }
    }

    public func contradicted(
        _ queued: Set<OperationID>, among operations: [Operation], by evidence: RefreshEvidence
    ) -> [Operation] {
        operations.filter { queued.contains($0.id) }.compactMap { operation in
            guard operation.state == .queued, let record = evidence.records[operation.id], !record.isQuarantined
            else { return nil }
            let lane = operations.filter { $0.record == operation.record && !$0.state.isSettled }
                .sorted { $0.number < $1.number }
            guard let index = lane.firstIndex(where: { $0.id == operation.id }) else { return nil }
            return LaneView(lane: lane, index: index, record: record, evidence: evidence).contradiction.map {
                operation.with(.conflict, message: $0)
            }
        }
    }

    private func settle(_ lane: inout [Operation], at index: Int, by evidence: RefreshEvidence) {
        let operation = lane[index]
        guard let record = evidence.records[operation.id], !record.isQuarantined, operation.reason != .damaged else {
            return
        }
        let rules = SettlementRules(evidence.definition)
        if operation.action == .create, record.referencedID != nil {
            // The record itself shows what became of the operation, whenever the answer began, and whether or not the
            // sender works on it.
            return finish(&lane, at: index, record, rules)
        }
        let view = LaneView(lane: lane, index: index, record: record, evidence: evidence)
        switch operation.state {
        case .accepted:
            guard let since = operation.delivery.acceptedAt, evidence.began > since else { return }
            if view.isConfirmed {
                finish(&lane, at: index, record, rules)
            } else if evidence.began - since >= rules.confirm {
                lane[index] = operation.with(.unconfirmed, message: Message(.writeUnseen))
            }
        case .uncertain:
            guard evidence.began > operation.delivery.uncertainSince ?? .min else { return }
            if view.isShown {
                finish(&lane, at: index, record, rules)
            } else if evidence.began - (operation.delivery.uncertainSince ?? 0) >= rules.confirm {
                lane[index] = rules.doubted(operation)
            }
        case .conflict, .unconfirmed:
            if view.isShown { finish(&lane, at: index, record, rules) }
        case .queued, .held:
            if view.isDeletedAlready {
                finish(&lane, at: index, record, rules)
            } else if let message = view.contradiction {
                lane[index] = operation.with(.conflict, message: message)
            }
        // The sender works on it; the next refresh finds the result.
        case .sending, .rejected, .confirmed, .done, .dropped: return
        }
    }

    /// Settles an operation that the upstream shows, and passes its values to the operations after it.
    ///
    /// An operation whose files have requests of their own continues with these.
    private func finish(
        _ lane: inout [Operation], at index: Int, _ record: RecordEvidence, _ rules: SettlementRules
    ) {
        var operation = lane[index]
        if operation.action == .create, let id = record.referencedID { operation.delivery.givenID = id }
        if rules.sendsFilesApart(operation.action), operation.delivery.filesSent < operation.values.files.count {
            guard !operation.delivery.isRecordSent else { return }
            operation.delivery.succeed()
            operation.delivery.isRecordSent = true
            lane[index] = operation.state == .held ? operation : operation.with(.queued)
            return
        }
        for later in lane.indices where later > index {
            for field in operation.touched {
                lane[later].inherit(field, operation.wanted(field), as: \.inherited)
                lane[later].inherit(
                    field, record.fields.map { $0[field] ?? .null },
                    as: lane[later].mayBeDone ? \.seen : \.inherited)
            }
        }
        lane[index] = operation.with(.confirmed)
    }

    /// A delete that is confirmed confirms the operations before it in its lane.
    private func confirmBeforeDelete(_ lane: inout [Operation]) {
        guard let last = lane.lastIndex(where: { $0.action == .delete && $0.state == .confirmed }) else { return }
        for index in lane.indices where index < last && [.accepted, .unconfirmed].contains(lane[index].state) {
            lane[index] = lane[index].with(.confirmed)
        }
    }
}

/// The parts of a definition that settling uses.
private struct SettlementRules {
    /// The time that an accepted write may take to be seen, in milliseconds.
    let confirm: Int64
    private let definition: Definition

    init(_ definition: Definition) {
        self.definition = definition
        confirm = (definition.writes?.confirm ?? .seconds(900)).wholeMilliseconds
    }

    /// An uncertain operation that a refresh should have shown, and did not: as the upstream's refusal of the repeated
    /// request leaves it, if there was one.
    func doubted(_ operation: Operation) -> Operation {
        var operation = operation
        operation.delivery.isDoubted = true
        guard let verdict = operation.delivery.verdict, canBeShown(operation) else { return operation }
        operation.delivery.verdict = nil
        return operation.refused(verdict, operation.message)
    }

    /// Whether a refresh can show that the request under way was done. It cannot show files, or a create whose record
    /// it cannot distinguish from others.
    private func canBeShown(_ operation: Operation) -> Bool {
        guard !operation.delivery.isRecordSent else { return false }
        switch operation.action {
        case .create:
            let create = definition.writes?.actions.first { $0.kind == .create }
            return definition.writes?.reference != nil || create?.request?.keepsID == true
        case .delete: return true
        case .update, .named: return !operation.touched.isEmpty
        }
    }

    /// Whether each file of an operation follows with a request of its own.
    func sendsFilesApart(_ action: OperationAction) -> Bool {
        guard let writes = definition.writes, let action = writes.actions.first(where: { $0.name == action.name }),
            case .requests = writes.attachments(of: action)?.sending
        else { return false }
        return true
    }
}

extension Operation {
    /// Takes a value that an operation before this one gave, or left at the upstream, so that the upstream may show it.
    fileprivate mutating func inherit(
        _ field: String, _ value: JSONValue?, as list: WritableKeyPath<OperationValues, JSONObject>
    ) {
        guard let value, action == .delete || wanted(field) != nil else { return }
        var inherited = values[keyPath: list][field]?.array ?? []
        guard !inherited.contains(value), inherited.count < Self.maxInherited else { return }
        inherited.append(value)
        values[keyPath: list][field] = .array(inherited)
    }

    /// The number of values of settled operations that are kept for each field.
    private static let maxInherited = 64
}
