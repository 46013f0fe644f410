// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// The new state of the operations of one collection, and the other changes that follow from it. It is made within a
/// transaction.
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

    /// Adopts the new state of some operations. An operation that has got another id renames its record, also for the
    /// other operations of its lane.
    ///
    /// An operation that is settled or unknown is left as it is.
    mutating func apply(
        _ changed: [Operation], _ connection: borrowing StateConnection
    ) throws(StoreError) {
        for operation in changed {
            guard let index = operations.firstIndex(where: { $0.operation.id == operation.id }) else { continue }
            var operation = operation
            // An earlier operation of its lane may have renamed the record of both.
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
        CollectionView(
            definition: view.definition, committed: view.committed, archive: archive,
            condition: condition, overlay: try overlay(of: ids, over: view.committed, joined: joined))
    }

    /// The view that shows the operations over other committed records.
    ///
    /// - Parameter isJoinNew: whether the joined values have changed, which may change every record.
    func view(
        over committed: CommittedRecords, _ archive: ArchiveOverlay, joined: JoinTable?, isJoinNew: Bool
    ) throws(StoreError) -> CollectionView {
        var changed = ids
        for stored in operations {
            let id = Array(stored.operation.record.utf8)
            let before = view.committed?.record(forID: id.rawSpan)
            if isJoinNew || !Self.areSame(before, committed.record(forID: id.rawSpan)) { changed.insert(id) }
        }
        return CollectionView(
            definition: view.definition, committed: committed,
            archive: marks.isEmpty ? archive : archive.applying(marks, over: committed.files), condition: condition,
            overlay: try overlay(of: changed, over: committed, joined: joined))
    }

    /// The overlay over committed records, with the records of some ids made anew.
    private func overlay(
        of ids: Set<[UInt8]>, over committed: CommittedRecords?, joined: JoinTable?
    ) throws(StoreError) -> RecordOverlay? {
        let composer = OverlayComposer(view.definition, base: committed)
        guard let before = view.overlay else {
            return try RecordOverlay.build(
                composer.entries(operations), over: committed, definition: view.definition, joined: joined)
        }
        var changed: [OverlayEntry] = []
        var removed: [[UInt8]] = []
        for (id, lane) in lanes(of: ids) {
            if let entry = composer.entry(of: lane) { changed.append(entry) } else { removed.append(id) }
        }
        return try before.applying(
            changed, removing: removed, over: committed, definition: view.definition, joined: joined)
    }

    /// The operations of some records, in their order.
    private func lanes(of ids: Set<[UInt8]>) -> [(id: [UInt8], lane: [Operation])] {
        let names = ids.map { (id: $0, record: String(decoding: $0, as: UTF8.self)) }
        // One submission has one or two records, but a refresh may have thousands.
        guard names.count > 4 else {
            return names.map { id, record in
                (id, operations.lazy.filter { $0.operation.record == record }.map(\.operation))
            }
        }
        let lanes = Dictionary(grouping: operations.lazy.map(\.operation), by: \.record)
        return names.map { ($0.id, lanes[$0.record] ?? []) }
    }

    /// Whether both are the same committed record.
    private static func areSame(_ one: ServedRecord?, _ other: ServedRecord?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        if one.snapshot === other.snapshot { return one.row == other.row }
        let (upstream, object) = (one.snapshot.upstream(one.row), other.snapshot.upstream(other.row))
        return one.stateKey == other.stateKey && one.firstSeen == other.firstSeen && one.changedAt == other.changedAt
            && upstream.equals(object)
    }

    private var archive: ArchiveOverlay {
        marks.isEmpty ? view.archive : view.archive.applying(marks, over: view.committed?.files)
    }

    private var condition: CollectionCondition {
        var condition = view.condition
        condition.operationsChanged(operations, aliases: aliases)
        return condition
    }

    /// Makes the view that is published, with its changes in the log.
    func finish(
        joined: JoinTable?, _ connection: inout StateConnection
    ) throws(StoreError) -> CollectionView {
        try log(view(joined: joined), &connection)
    }

    /// Makes the view of a collection all of whose records are waiting creates, with its changes in the log.
    ///
    /// - Parameter row: the row of the collection without data.
    func release(_ row: CollectionRow, _ connection: inout StateConnection) throws(StoreError) -> CollectionView {
        let entries = OverlayComposer(view.definition, base: nil).entries(operations)
        var condition = condition
        condition.released(row)
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
        let seq = connection.seq
        return next.changing { $0.logged(changes: changes.count, bytes: bytes, endingAt: seq, at: now) }
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
    /// The create that the record becomes. It gives the values that a create may give, and shows the others.
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
    /// A file in the form in which records list it.
    fileprivate init?(listed value: JSONValue) {
        guard let sha256 = value["sha256"]?.string, let name = value["name"]?.string, let type = value["type"]?.string,
            let size = value["size"]?.integer
        else { return nil }
        self.init(sha256: sha256, name: name, type: type, size: size)
    }
}
