// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
public import ClaimsModel
import ClaimsSnapshot
import Synchronization

/// Makes the overlay of a collection's unsettled operations: for each record, its state once they are done. Pure.
struct OverlayComposer {
    let definition: Definition
    /// The upstream's records; nil if no upstream has answered.
    let base: CommittedRecords?
    private let composer: WriteComposer

    init(_ definition: Definition, base: CommittedRecords?) {
        self.definition = definition
        self.base = base
        composer = WriteComposer(definition)
    }

    /// The entries of all records that have operations.
    func entries(_ operations: [StoredOperation]) -> [OverlayEntry] {
        Self.lanes(operations).compactMap { entry(of: $0) }
    }

    /// The operations of each record, in their order.
    static func lanes(_ operations: [StoredOperation]) -> [[Operation]] {
        Array(Dictionary(grouping: operations.lazy.map(\.operation), by: \.record).values)
    }

    /// The entry of one record, made of all its unsettled operations in their order; nil if no record is to be served.
    func entry(of lane: [Operation]) -> OverlayEntry? {
        guard let first = lane.first else { return nil }
        let id = Array(first.record.utf8)
        let committed = base?.record(forID: id.rawSpan)
        let composition = composition(of: lane, over: committed)
        guard let object = composition.object else { return nil }
        let shown = composition.shown
        var entry = OverlayEntry(
            id: id, upstream: object, firstSeen: first.submittedAt, changedAt: shown?.submittedAt ?? first.submittedAt,
            pending: Self.pending(lane))
        if let committed {
            entry.firstSeen = committed.firstSeen
            entry.changedAt = shown == nil ? committed.changedAt : max(entry.changedAt, committed.changedAt)
            entry.stateKey = committed.stateKey
        }
        entry.isHidden = composition.isHidden
        entry.written = shown.map { RecordWrite(operation: $0.id, submittedAt: $0.submittedAt, uid: $0.submittedBy) }
        return entry
    }

    /// The object that shows the operations of a lane.
    private struct Composition {
        /// Nil if there is no record.
        var object: [UInt8]?
        /// The last operation whose values the object has.
        var shown: Operation?
        var isHidden = false
    }

    /// - Parameter committed: the record as it is committed; nil if there is none.
    private func composition(of lane: [Operation], over committed: ServedRecord?) -> Composition {
        var result = Composition()
        result.object = committed?.upstream
        for operation in lane {
            switch operation.action {
            case .delete: if Self.hides(operation.state) { result.isHidden = result.object != nil }
            case .create:
                // A create changes a record that the upstream already has, like an update does.
                guard result.object == nil || operation.isShown else { continue }
                let id = result.object == nil ? Array(operation.record.utf8) : nil
                result.object = composed(operation, over: result.object, id: id)
                result.shown = operation
            case .update, .named:
                guard operation.isShown, result.object != nil else { continue }
                result.object = composed(operation, over: result.object, id: nil)
                result.shown = operation
            }
        }
        return result
    }

    /// The object of an operation's record that the upstream should have when the operation is sent: the fetched object
    /// with the earlier operations that the upstream has accepted; nil for an unknown record.
    func object(before operation: Operation, among operations: [StoredOperation]) -> [UInt8]? {
        let accepted = operations.map(\.operation).filter {
            $0.record == operation.record && $0.number < operation.number && $0.state == .accepted
        }
        let committed = base?.record(forID: Array(operation.record.utf8).rawSpan)
        return composition(of: accepted, over: committed).object
    }

    /// The object with the values of an operation. It stays as it is if the values have no location in it.
    private func composed(_ operation: Operation, over object: [UInt8]?, id: [UInt8]?) -> [UInt8]? {
        var values = operation.values
        // Another definition may lack some of the fields.
        for keyPath in [\OperationValues.given, \.set, \.shown] {
            values[keyPath: keyPath].members.removeAll { definition.fieldIndex($0.key) == nil }
        }
        let action =
            definition.writes?.actions.first { $0.name == operation.action.name }
            ?? WriteAction(name: operation.action.name, kind: .named)
        guard let write = CheckedWrite(values, action: action, in: definition) else { return object }
        return (try? composer.object(showing: write, over: object, id: id)) ?? object
    }

    private static func hides(_ state: OperationState) -> Bool {
        state == .queued || state == .sending || state == .accepted
    }

    /// The member `pending` of the record.
    static func pending(_ lane: [Operation]) -> PendingRecord? {
        guard let state = lane.compactMap(\.state.pending).max() else { return nil }
        var fields: [String] = []
        var files: [OperationFile] = []
        for operation in lane {
            for name in operation.touched where !fields.contains(name) { fields.append(name) }
            files += operation.values.files
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("state", state.rawValue)
        writer.key("ops")
        writer.beginArray()
        for operation in lane {
            writer.beginObject()
            writer.member("op", operation.id.text)
            writer.member("action", operation.action.name)
            writer.member("state", operation.state.rawValue)
            writer.endObject()
        }
        writer.endArray()
        writer.key("fields")
        writer.beginArray()
        for name in fields { writer.string(name) }
        writer.endArray()
        if !files.isEmpty {
            writer.key("attachments")
            writer.beginArray()
            for file in files { write(file, to: &writer) }
            writer.endArray()
        }
        writer.endObject()
        return PendingRecord(state: state, json: writer.bytes, numbers: lane.map(\.number))
    }

    private static func write(_ file: OperationFile, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", file.name)
        writer.member("type", file.type)
        writer.member("size", Int(file.size))
        writer.member("sha256", file.sha256)
        writer.endObject()
    }
}

extension CollectionView {
    /// The object of an operation's record that the upstream should have when the operation is sent: the fetched object
    /// with the earlier operations that the upstream has accepted and that this snapshot does not show yet; nil for an
    /// unknown record.
    public func object(before operation: Operation) -> [UInt8]? {
        OverlayComposer(definition, base: committed).object(before: operation, among: condition.operations)
    }
}

extension Operation {
    /// Whether the values of the operation are shown although the upstream does not show them yet.
    fileprivate var isShown: Bool {
        switch state {
        case .queued, .sending, .held, .accepted: true
        case .uncertain: !delivery.isDoubted
        case .conflict, .rejected, .unconfirmed, .confirmed, .done, .dropped: false
        }
    }
}

/// The joined values of the collection that was last written to, kept so that the next write does not read them again.
final class JoinCache: Sendable {
    private struct Contents {
        var collection: Int64
        var batch: Int64
        var valuesHash: UInt64
        var table: JoinTable?
    }

    private let contents = Mutex<Contents?>(nil)

    /// The values of a collection's second request; nil if its definition has none.
    func table(of view: CollectionView, _ connection: borrowing StateConnection) throws(StoreError) -> JoinTable? {
        try table(of: view.condition.row, view.definition, connection)
    }

    /// Forgets the values of a collection, because some were deleted.
    func drop(_ collection: Int64) {
        contents.withLock { if $0?.collection == collection { $0 = nil } }
    }

    func table(
        of row: CollectionRow, _ definition: Definition, _ connection: borrowing StateConnection
    ) throws(StoreError) -> JoinTable? {
        guard definition.source.join != nil else { return nil }
        let known = contents.withLock { $0 }
        if let known, known.collection == row.number, known.batch == row.joinBatch,
            known.valuesHash == definition.valuesHash
        {
            return known.table
        }
        let table = JoinTable(definition: definition, stored: try connection.joined(of: row))
        contents.withLock {
            $0 = Contents(
                collection: row.number, batch: row.joinBatch, valuesHash: definition.valuesHash, table: table)
        }
        return table
    }
}
