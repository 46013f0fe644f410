// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON
public import ClaimsModel
import ClaimsSnapshot

/// A good answer of an upstream, which settles operations.
public struct UpstreamAnswer: Sendable, Equatable {
    /// The time when its first request began, less the time for which a cache had kept it, in milliseconds since 1970.
    public var began: Int64
    /// Whether it has all records of the upstream, so that others are gone.
    public var isComplete: Bool

    public init(began: Int64, isComplete: Bool) {
        self.began = began
        self.isComplete = isComplete
    }
}

/// Updates the unsettled operations of a collection after an answer of its upstream, and lays the others over the new
/// snapshot.
struct Settling {
    private let settler: (any OperationSettler)?
    private let answer: UpstreamAnswer?
    /// The upstream's records after the answer.
    private let committed: CommittedRecords?
    /// The ids of records that have an operation's id as their `reference`.
    private let references: [OperationID: String]
    /// The records that lay over the snapshot when the refresh ended.
    private let knownIDs: Set<[UInt8]>

    /// Finds the records with references. This takes time, so it is not done on the store's thread.
    init(
        _ settler: (any OperationSettler)?, _ answer: UpstreamAnswer?, over committed: CommittedRecords?,
        from view: CollectionView
    ) {
        self.settler = answer == nil ? nil : settler
        self.answer = answer
        self.committed = committed
        references = self.settler == nil ? [:] : Self.references(in: committed, since: view)
        knownIDs = Self.ids(of: view.condition.operations).union(references.values.map { Array($0.utf8) })
    }

    /// Settles by an answer that changes no record of a view.
    ///
    /// - Parameter prepared: made for the same answer before, off the store's thread; another one is made if the view
    ///   has other records by now.
    init(
        _ prepared: Settling?, _ settler: (any OperationSettler)?, _ answer: UpstreamAnswer?, from view: CollectionView
    ) {
        if let prepared, prepared.committed?.isSame(as: view.committed) ?? (view.committed == nil) {
            self = prepared
        } else {
            self.init(settler, answer, over: view.committed, from: view)
        }
    }

    private static func ids(of operations: [StoredOperation]) -> Set<[UInt8]> {
        Set(operations.map { Array($0.operation.record.utf8) })
    }

    /// The staged changes of the records that lay over the snapshot; nil if there are none.
    func staged(_ target: StageChunk.Target, in database: StateDatabase) throws(StoreError) -> [StagedChange]? {
        if knownIDs.isEmpty { return nil }
        return try StagedChange.all(
            of: knownIDs, in: target.collection, generation: target.generation, database.reader())
    }

    /// The view that serves other committed records, with the operations that are left; to be called in the transaction
    /// that commits it. The staged changes are replaced by the changes of the served records.
    func serve(
        _ view: CollectionView, over committed: CommittedRecords, archive: ArchiveOverlay, joins: JoinCache,
        plan: inout CommitPlan, staged: [StagedChange]?, _ connection: borrowing StateConnection
    ) throws(StoreError) -> CollectionView {
        guard !view.condition.operations.isEmpty || view.overlay != nil else {
            return CollectionView(
                definition: view.definition, committed: committed, archive: archive, condition: view.condition)
        }
        var commit = OperationCommit(view, by: 0, at: plan.at)
        let isRenewed = plan.quarantine.contains { !$0.isIncremental }
        let quarantine = InForce(batch: plan.quarantineBatch, isRenewed: isRenewed)
        try commit.apply(settled(of: view, quarantine, at: plan.at, connection), connection)
        var row = view.condition.row
        row.joinBatch = plan.joinBatch
        let next = try commit.view(
            over: committed, archive, joined: joins.table(of: row, view.definition, connection),
            isJoinNew: row.joinBatch != view.condition.row.joinBatch)
        guard var log = plan.data?.log, !log.isWhole, let bytes = log.valueBytes else { return next }
        let ids = Self.ids(of: view.condition.operations).union(commit.ids)
        var known = staged ?? []
        let missing = ids.subtracting(knownIDs)
        if !missing.isEmpty {
            known += try StagedChange.all(
                of: missing, in: row.number, generation: plan.data?.generation ?? 0, connection.database)
        }
        var comparison = ServedComparison(view.definition)
        var changes = comparison.changes(of: ids, from: view, to: next)
        Self.addUpstreamChanges(known, to: &changes, from: view, to: next)
        try connection.replace(
            known, of: log.changes, by: changes, of: row.number, in: plan.data?.generation ?? 0)
        log.changes += changes.count - known.count
        log.valueBytes = bytes - known.reduce(0) { $0 + $1.bytes } + changes.reduce(0) { $0 + $1.values.count }
        plan.data?.log = log
        return next
    }

    /// Marks changes of served records whose upstream objects differ in members that no field reads.
    ///
    /// - Parameter staged: the changes of the upstream's records.
    private static func addUpstreamChanges(
        _ staged: [StagedChange], to changes: inout [ServedChange], from old: CollectionView, to new: CollectionView
    ) {
        let indexes = Dictionary(uniqueKeysWithValues: changes.enumerated().map { ($1.id, $0) })
        for change in staged where change.logged == .updated && change.differsUpstream {
            if let index = indexes[change.id] {
                if changes[index].logged == .updated { changes[index].differsUpstream = true }
            } else if old.served(change.id) != nil, new.served(change.id) != nil {
                changes.append(ServedChange(id: change.id, logged: .updated, values: [], differsUpstream: true))
            }
        }
    }

    /// The view after an answer that has changed no record; to be called in a transaction.
    func serve(
        _ view: CollectionView, _ joins: JoinCache, at now: Int64, _ connection: inout StateConnection
    ) throws(StoreError) -> CollectionView {
        let quarantine = InForce(batch: view.condition.row.quarantineBatch)
        let changed = try settled(of: view, quarantine, at: now, connection)
        guard let first = changed.first else { return view }
        var commit = OperationCommit(view, by: first.submittedBy, at: now)
        try commit.apply(changed, connection)
        return try commit.finish(joined: joins.table(of: view, connection), &connection)
    }

    /// The batches of quarantine that count for an answer.
    private struct InForce {
        var batch: Int64
        /// Whether only that batch is in force.
        var isRenewed = false
    }

    private func settled(
        of view: CollectionView, _ quarantine: InForce, at now: Int64, _ connection: borrowing StateConnection
    ) throws(StoreError) -> [Operation] {
        let operations = view.condition.operations.map(\.operation)
        guard let settler, let answer, !operations.isEmpty else { return [] }
        var evidence = RefreshEvidence(
            view.definition, began: answer.began, now: now, isComplete: answer.isComplete)
        for operation in operations {
            evidence.records[operation.id] = try record(of: operation, view.condition.row, quarantine, connection)
        }
        return settler.settle(operations, by: evidence)
    }

    private func record(
        of operation: Operation, _ row: CollectionRow, _ quarantine: InForce, _ connection: borrowing StateConnection
    ) throws(StoreError) -> RecordEvidence {
        let referenced = references[operation.id]
        var evidence = try Self.record(
            referenced ?? operation.record, of: operation, in: committed, row: row, quarantine: quarantine, connection)
        evidence.referencedID = evidence.fields == nil ? nil : referenced
        return evidence
    }

    private static func record(
        _ record: String, of operation: Operation, in committed: CommittedRecords?, row: CollectionRow,
        quarantine: InForce, _ connection: borrowing StateConnection
    ) throws(StoreError) -> RecordEvidence {
        let id = Array(record.utf8)
        guard let found = committed?.record(forID: id.rawSpan) else {
            let isQuarantined = try connection.isQuarantined(
                id, in: row.number, through: quarantine.batch, isRenewed: quarantine.isRenewed)
            var evidence = RecordEvidence(fields: nil, isQuarantined: isQuarantined)
            // A served record leaves by an answer with all records, or by an answer that names it as deleted.
            evidence.isDeleted = operation.values.wasInSnapshot
            return evidence
        }
        let fields = (try? JSONValue.parse(found.document, depth: JSONValue.maximumDepth))?.object
        return RecordEvidence(fields: fields ?? JSONObject())
    }

    /// The operations in their new state after a change. Operations in conflict that the change requeues are compared
    /// with the snapshot, which may by now show the work of other people; to be called in the transaction of the
    /// change.
    ///
    /// - Parameter changed: operations of the view's collection.
    static func compare(
        _ changed: [Operation], with view: CollectionView, by settler: (any OperationSettler)?, at now: Int64,
        _ connection: borrowing StateConnection
    ) throws(StoreError) -> [Operation] {
        guard let settler, let committed = view.committed else { return changed }
        var operations = view.condition.operations.map(\.operation)
        var queued: Set<OperationID> = []
        for operation in changed {
            guard let index = operations.firstIndex(where: { $0.id == operation.id }) else { continue }
            if operation.state == .queued, operations[index].state != .queued { queued.insert(operation.id) }
            let record = operations[index].record
            operations[index] = operation
            operations[index].record = record
        }
        guard !queued.isEmpty else { return changed }
        let quarantine = InForce(batch: view.condition.row.quarantineBatch)
        var evidence = RefreshEvidence(view.definition, began: now, now: now, isComplete: false)
        for operation in operations where queued.contains(operation.id) {
            evidence.records[operation.id] = try record(
                operation.record, of: operation, in: committed, row: view.condition.row, quarantine: quarantine,
                connection)
        }
        let found = settler.contradicted(queued, among: operations, by: evidence)
        return changed.map { operation in found.first { $0.id == operation.id } ?? operation }
    }
}

/// A change that a refresh has staged.
struct StagedChange: Sendable, Equatable {
    var ordinal: Int64
    var id: [UInt8]
    var logged: LoggedOperation
    /// See ``LoggedChange/differsUpstream``.
    var differsUpstream: Bool
    /// The size of its values.
    var bytes: Int

    /// The staged changes of some records.
    static func all(
        of ids: Set<[UInt8]>, in collection: Int64, generation: UInt64, _ database: borrowing Database
    ) throws(StoreError) -> [StagedChange] {
        let select = try database.prepare(
            """
            SELECT ordinal, id, length(fields), op, upstream FROM change WHERE collection = ?1 AND generation = ?2
            ORDER BY ordinal
            """,
            "read staged changes")
        try select.bind(parameters: [collection, Int64(bitPattern: generation)])
        var changes: [StagedChange] = []
        var id: [UInt8] = []
        while try select.step() {
            id.removeAll(keepingCapacity: true)
            select.append(1, to: &id)
            guard ids.contains(id) else { continue }
            guard let logged = LoggedOperation(rawValue: select.text(3)) else {
                throw StoreError(.damaged, "read staged changes", detail: "unknown change")
            }
            changes.append(
                StagedChange(
                    ordinal: select.integer(0), id: id, logged: logged, differsUpstream: select.integer(4) != 0,
                    bytes: select.count(2)))
        }
        return changes
    }
}

extension StateConnection {
    /// Replaces staged changes by the changes of the served records, and makes the ordinals consecutive from 1 again.
    ///
    /// - Parameter total: the number of all staged changes.
    fileprivate func replace(
        _ staged: [StagedChange], of total: Int, by changes: [ServedChange], of collection: Int64,
        in generation: UInt64
    ) throws(StoreError) {
        var free = staged.map(\.ordinal).sorted()
        var last = Int64(total)
        for change in changes {
            if free.isEmpty { last += 1 }
            try add(change, as: free.isEmpty ? last : free.removeFirst(), of: collection, in: generation)
        }
        while let gap = free.first {
            if free.last == last {
                free.removeLast()
                try statements.deleteChange.bind(.collection, collection)
                try statements.deleteChange.bind(.generation, bits: generation)
                try statements.deleteChange.bind(.ordinal, last)
                try statements.deleteChange.run()
            } else {
                free.removeFirst()
                try statements.moveChange.bind(.collection, collection)
                try statements.moveChange.bind(.generation, bits: generation)
                try statements.moveChange.bind(.from, last)
                try statements.moveChange.bind(.to, gap)
                try statements.moveChange.run()
            }
            last -= 1
        }
    }

    private func add(
        _ change: ServedChange, as ordinal: Int64, of collection: Int64, in generation: UInt64
    ) throws(StoreError) {
        try statements.addChange.bind(.collection, collection)
        try statements.addChange.bind(.generation, bits: generation)
        try statements.addChange.bind(.ordinal, ordinal)
        try statements.addChange.bind(.op, change.logged.rawValue)
        try statements.addChange.bind(.id, text: change.id)
        if change.values.isEmpty {
            try statements.addChange.bind(.fields, String?.none)
        } else {
            try statements.addChange.bind(.fields, text: change.values)
        }
        try statements.addChange.bind(.upstream, change.differsUpstream ? 1 : 0)
        try statements.addChange.bind(.firstSeen, change.firstSeen)
        try statements.addChange.run()
        statements.addChange.clearBindings()
    }
}

extension Settling {
    /// The records that belong to creates of a view, by their `reference`. It looks at the records that came since the
    /// view, or were first seen since the first of these creates was submitted.
    static func references(in committed: CommittedRecords?, since view: CollectionView) -> [OperationID: String] {
        guard let committed, let pointer = view.definition.writes?.reference else { return [:] }
        let operations = view.condition.operations.map(\.operation).filter { $0.action == .create }
        guard let since = operations.map(\.submittedAt).min() else { return [:] }
        let creates = Set(operations.map(\.id))
        let isSame = committed.isSame(as: view.committed)
        var references: [OperationID: String] = [:]
        var tape = JSONTape()
        for row in 0..<committed.end where committed.isCurrent(row) {
            let record = committed.record(row)
            let (snapshot, row) = (record.snapshot, record.row)
            let isNew = !isSame && view.committed?.row(forID: snapshot.id(row)) == nil
            guard isNew || snapshot.firstSeen(row) >= since - maxClockError else { continue }
            let object = snapshot.upstream(row)
            guard (try? tape.parse(object, from: 0, depth: JSONElements.bodyDepth)) != nil,
                let node = tape.resolve(pointer, in: object), tape[node].kind == .string,
                tape[node].end - tape[node].start > 2,
                let id = OperationID(object.extracting(tape[node].start + 1..<tape[node].end - 1)), creates.contains(id)
            else { continue }
            references[id] = String(decoding: snapshot.idBytes(row), as: UTF8.self)
        }
        return references
    }

    /// The maximal error of the clock by which records were first seen, in milliseconds: it may be the clock of another
    /// host.
    private static let maxClockError: Int64 = 60_000
}

/// Decides how the answer of an upstream changes a collection's unsettled operations. Pure: it is called within the
/// transaction that commits the answer, also for an answer that changes nothing.
public protocol OperationSettler: Sendable {
    /// Returns the operations that change, each in its new state.
    ///
    /// An operation has got another id by its `reference` if its ``OperationDelivery/givenID`` is not its record's id:
    /// the commit renames the record, for its other operations too, and keeps the old id as an alias.
    func settle(_ operations: [Operation], by evidence: RefreshEvidence) -> [Operation]

    /// Returns the requeued operations that the served records contradict, in their new state. Answers that came while
    /// an operation was not in the queue were not compared with it.
    ///
    /// - Parameters:
    ///   - queued: the operations that are in the queue again.
    ///   - operations: all unsettled operations of the collection, including these.
    func contradicted(
        _ queued: Set<OperationID>, among operations: [Operation], by evidence: RefreshEvidence
    ) -> [Operation]
}

extension OperationSettler {
    public func contradicted(
        _ queued: Set<OperationID>, among operations: [Operation], by evidence: RefreshEvidence
    ) -> [Operation] { [] }
}

/// The part of a good answer of an upstream that concerns records with unsettled operations.
public struct RefreshEvidence: Sendable {
    public var definition: Definition
    /// The time when the first request of the refresh began, in milliseconds since 1970.
    public var began: Int64
    /// Milliseconds since 1970.
    public var now: Int64
    /// Whether the answer has all records of the upstream, so that others are gone.
    public var isComplete: Bool
    /// The record of each operation in the new snapshot.
    public var records: [OperationID: RecordEvidence]

    public init(
        _ definition: Definition, began: Int64, now: Int64, isComplete: Bool,
        records: [OperationID: RecordEvidence] = [:]
    ) {
        self.definition = definition
        self.began = began
        self.now = now
        self.isComplete = isComplete
        self.records = records
    }
}

/// The upstream's record of an operation.
public struct RecordEvidence: Sendable, Equatable {
    /// The fields in the form in which answers show them; nil if the snapshot has no such record.
    public var fields: JSONObject?
    /// The id of the record that has the operation's id as its `reference`. Then ``fields`` are the fields of this
    /// record.
    public var referencedID: String?
    /// Whether the upstream has the record, but it cannot be used. Then it proves nothing.
    public var isQuarantined: Bool
    /// Whether an answer has reported the record as gone. An answer with what has changed reports nothing about the
    /// records that it lacks.
    public var isDeleted = false

    public init(fields: JSONObject?, referencedID: String? = nil, isQuarantined: Bool = false) {
        self.fields = fields
        self.referencedID = referencedID
        self.isQuarantined = isQuarantined
    }
}
