// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// Operations of one collection as they are from now on, and what else that changes. It is made within a transaction.
struct OperationCommit {
    private let view: CollectionView
    /// The user that the log names.
    let uid: UInt32
    /// Milliseconds since 1970.
    let now: Int64
    /// The unsettled operations afterwards.
    private(set) var operations: [StoredOperation]
    private(set) var aliases: [[UInt8]: [UInt8]]
    /// The ids whose records may be served differently.
    private(set) var ids: Set<[UInt8]> = []
    private var marks: [ArchiveMarkChange] = []

    init(_ view: CollectionView, by uid: UInt32, at now: Int64) {
        self.view = view
        self.uid = uid
        self.now = now
        operations = view.condition.operations
        aliases = view.condition.aliases
    }

    private var row: CollectionRow { view.condition.row }

    /// Adds a new operation.
    mutating func add(_ stored: StoredOperation, _ connection: borrowing StateConnection) throws(StoreError) {
        var stored = stored
        try connection.add(&stored, to: row)
        operations.append(stored)
        ids.insert(Array(stored.operation.record.utf8))
    }

    /// Takes operations as they are now. One that has got another id renames its record, also for the others of its lane.
    ///
    /// An operation that is settled or unknown is left as it is.
    mutating func take(
        _ changed: [Operation], _ connection: borrowing StateConnection
    ) throws(StoreError) {
        for operation in changed {
            guard let index = operations.firstIndex(where: { $0.operation.id == operation.id }) else { continue }
            var operation = operation
            // One before it in its lane may have renamed the record of both.
            operation.record = operations[index].operation.record
            operations[index].operation = operation
            operations[index].settledAt = operation.state.isSettled ? now : nil
            try connection.write(operations[index], of: row)
            ids.insert(Array(operation.record.utf8))
            if let id = operation.delivery.givenID, id != operation.record {
                try rename(operation.record, to: id, connection)
            }
        }
        operations.removeAll { $0.settledAt != nil }
    }

    private mutating func rename(
        _ old: String, to new: String, _ connection: borrowing StateConnection
    ) throws(StoreError) {
        let (oldID, newID) = (Array(old.utf8), Array(new.utf8))
        for index in operations.indices where operations[index].operation.record == old {
            operations[index].operation.record = new
            try connection.write(operations[index], of: row)
        }
        try connection.rename(oldID, to: newID, in: row.number, at: now)
        for (alias, target) in aliases where target == oldID { aliases[alias] = newID }
        aliases[oldID] = newID
        if let mark = view.archive.mark(oldID) {
            marks.append(ArchiveMarkChange(id: oldID, mark: nil))
            marks.append(ArchiveMarkChange(id: newID, mark: view.archive.mark(newID) ?? mark))
        }
        ids.formUnion([oldID, newID])
    }

    /// The view that shows the operations over the snapshot that was served before.
    func view(joined: JoinTable?) throws(StoreError) -> CollectionView {
        let composer = OverlayComposer(view.definition, base: view.committed)
        var changed: [OverlayEntry] = []
        var removed: [[UInt8]] = []
        for id in ids {
            let record = String(decoding: id, as: UTF8.self)
            let lane = operations.map(\.operation).filter { $0.record == record }
            if let entry = composer.entry(of: lane) { changed.append(entry) } else { removed.append(id) }
        }
        let overlay: RecordOverlay?
        if let before = view.overlay {
            overlay = try before.applying(
                changed, removing: removed, over: view.committed, definition: view.definition, joined: joined)
        } else {
            overlay = try RecordOverlay.build(
                changed, over: view.committed, definition: view.definition, joined: joined)
        }
        return CollectionView(
            definition: view.definition, committed: view.committed, archive: archive,
            condition: condition, overlay: overlay)
    }

    /// The view that shows the operations over other committed records.
    func view(
        over committed: CommittedRecords, _ archive: ArchiveOverlay, joined: JoinTable?
    ) throws(StoreError) -> CollectionView {
        let entries = OverlayComposer(view.definition, base: committed).entries(operations)
        return CollectionView(
            definition: view.definition, committed: committed,
            archive: marks.isEmpty ? archive : archive.applying(marks, over: committed.files), condition: condition,
            overlay: try RecordOverlay.build(entries, over: committed, definition: view.definition, joined: joined))
    }

    private var archive: ArchiveOverlay {
        marks.isEmpty ? view.archive : view.archive.applying(marks, over: view.committed?.files)
    }

    private var condition: CollectionCondition {
        var condition = view.condition
        condition.operations = operations
        condition.aliases = aliases
        return condition
    }

    /// Makes the view that is published, with its changes in the log.
    func finish(
        joined: JoinTable?, _ connection: inout StateConnection
    ) throws(StoreError) -> CollectionView {
        try log(view(joined: joined), &connection)
    }

    /// Makes the view of a collection whose records are nothing but creates that wait, with its changes in the log.
    ///
    /// - Parameter row: the row of the collection without data.
    func release(_ row: CollectionRow, _ connection: inout StateConnection) throws(StoreError) -> CollectionView {
        let entries = OverlayComposer(view.definition, base: nil).entries(operations)
        var condition = condition
        condition.row = row
        let next = CollectionView(
            definition: view.definition, committed: nil, archive: view.archive.rebuilt(for: nil), condition: condition,
            overlay: try RecordOverlay.build(entries, over: nil, definition: view.definition, joined: nil))
        return try log(next, &connection)
    }

    private func log(
        _ next: CollectionView, _ connection: inout StateConnection
    ) throws(StoreError) -> CollectionView {
        var comparison = ServedComparison(view.definition)
        let changes = comparison.changes(of: ids, from: view, to: next)
        let bytes = try connection.log(changes, of: row, by: uid, at: now)
        var condition = next.condition
        if !changes.isEmpty { condition.changedSeq = connection.seq }
        condition.log.add(changes: changes.count, bytes: bytes, at: now)
        return next.with(condition)
    }
}

extension CollectionView {
    /// All records that are served, in no order.
    var servedRecords: [ServedRecord] {
        layers.flatMap { layer in
            (0..<layer.count).compactMap { row in
                served(under: layer.id(row)).flatMap { $0.snapshot === layer ? $0 : nil }
            }
        }
    }
}

extension ServedRecord {
    /// The create that the record becomes. The values that a create may give are given, the others are shown.
    func adopted(by definition: Definition, at now: Int64, seq: UInt64) -> StoredOperation {
        let random = (RandomBytes.integer(), RandomBytes.integer())
        var operation = Operation(
            OperationID(time: now, random: random), .create,
            on: String(decoding: snapshot.idBytes(row), as: UTF8.self), of: definition.name, state: .held,
            submittedAt: now)
        operation.reason = .adopted
        let known = FieldComparison(definition).values(of: snapshot.document(row))
        let create = definition.writes?.actions.first { $0.kind == .create }
        let files = definition.writes?.attachments?.field
        for (index, field) in definition.fields.enumerated() where index != definition.idField {
            guard let value = known[index] else { continue }
            if index == files {
                operation.values.files = (value.array ?? []).compactMap(OperationFile.init(listed:))
            } else if create?.fields.contains(index) == true {
                operation.values.given[field.name] = value
            } else {
                operation.values.shown[field.name] = value
            }
        }
        return StoredOperation(
            operation, content: ContentHash.digest(of: operation.id.bytes.rawSpan), seq: seq,
            changed: operation.touched)
    }
}

extension OperationFile {
    /// A file as records list it.
    fileprivate init?(listed value: JSONValue) {
        guard let sha256 = value["sha256"]?.string, let name = value["name"]?.string, let type = value["type"]?.string,
            let size = value["size"]?.integer
        else { return nil }
        self.init(sha256: sha256, name: name, type: type, size: size)
    }
}
