// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// Erases records for good: from state.db, from the files, and from what other processes may still read.
struct RecordForgetting: Sendable {
    /// The number of attempts if the collection changes meanwhile.
    private static let maxForgetAttempts = 10
    /// The time to wait for other programs that read an old state of state.db.
    static let timeout = Duration.seconds(30)
    private static let forgetting = "forget records"

    private let context: OpeningContext
    private let verifier: SnapshotVerifier
    private var store: StateStore { context.store }

    init(_ context: OpeningContext, _ verifier: SnapshotVerifier) {
        self.context = context
        self.verifier = verifier
    }

    /// See ``CollectionOpener/forget(_:while:)``.
    func forget(
        _ order: ForgetOrder, while isWanted: @Sendable () -> Bool = { true }
    ) throws(StoreError) -> ForgetOutcome {
        try context.folder.ensure()
        var outcome: ForgetOutcome?
        for attempt in 1... {
            do throws(StoreError) {
                outcome = try commit(order)
                break
            } catch {
                guard error.code == .mismatch, attempt < Self.maxForgetAttempts else { throw error }
            }
        }
        guard let outcome else { throw StoreError(.mismatch, Self.forgetting) }
        if order.isDryRun { return outcome }
        store.generations.removeRetired(of: order.collection)
        // This runs even if there was nothing to erase: an earlier call may have been interrupted.
        try store.database.finishForgetting(timeout: Self.timeout, while: isWanted)
        return outcome
    }

    private func commit(_ order: ForgetOrder) throws(StoreError) -> ForgetOutcome {
        let name = order.collection
        guard context.view(name) != nil else {
            throw StoreError(.noCollection, Self.forgetting, detail: name)
        }
        verifier.verify(name)
        guard let view = context.view(name) else {
            throw StoreError(.noCollection, Self.forgetting, detail: name)
        }
        if view.snapshot == nil, view.condition.row.hasData {
            throw StoreError(.missing, Self.forgetting, detail: "its records cannot be read now")
        }
        var plan = try ForgetPlan(order, in: view, at: store.catalog.current().revision, store.database)
        if order.isDryRun || plan.records.ids.isEmpty { return plan.outcome }
        plan.records.joinedValues = try joinedValues(neededOnlyBy: plan)
        try store.collectGarbage(of: view.condition.row.number)
        let files = try view.committed.map { committed throws(StoreError) in
            try context.folder.files(committed.files, without: plan.records.all, view.definition, epoch: store.epoch)
        }
        do throws(StoreError) {
            var outcome = plan.outcome
            outcome.revision = try store.generations.forget(plan, leaving: files)
            return outcome
        } catch {
            let kept = view.committed?.files.snapshots ?? []
            for snapshot in files?.snapshots ?? [] where !kept.contains(where: { $0 === snapshot }) {
                snapshot.removeWhenUnused()
            }
            throw error
        }
    }

    /// The numbers of the joined values that only the plan's records need.
    private func joinedValues(neededOnlyBy plan: ForgetPlan) throws(StoreError) -> [Int64] {
        let stored = try store.database.joinedLines(of: plan.view.condition.row)
        if stored.numbers.isEmpty { return [] }
        // Without a table no record has joined values.
        guard let table = JoinTable(definition: plan.view.definition, stored: stored.values) else {
            return stored.numbers
        }
        var use = JoinUse(plan.view.definition, table)
        if let base = plan.view.committed {
            for row in 0..<base.end where base.isCurrent(row) && !plan.rows.contains(row) {
                let record = base.record(row)
                use.note(record.snapshot.upstream(record.row))
            }
        }
        let forgotten = Set(plan.records.all)
        for entry in plan.view.overlay?.entries ?? [] where !forgotten.contains(entry.id) {
            if let upstream = entry.upstream { use.note(upstream.rawSpan) }
        }
        let isNeeded = table.lines(having: use.rows)
        guard isNeeded.count == stored.numbers.count else { return stored.numbers }
        return stored.numbers.indices.filter { !isNeeded[$0] }.map { stored.numbers[$0] }
    }
}

/// Finds the rows of a join that some records need.
private struct JoinUse {
    private(set) var rows: Set<Int> = []
    private var decoder: RecordDecoder
    private var tape = JSONTape()
    private var record = DecodedRecord()

    init(_ definition: Definition, _ table: JoinTable) {
        decoder = RecordDecoder(definition: definition, joined: table)
    }

    /// Adds the row of a record, given as the upstream's object.
    mutating func note(_ upstream: RawSpan) {
        guard (try? tape.parse(upstream, from: 0, depth: JSONElements.bodyDepth)) != nil,
            case .accepted = decoder.identify(tape, upstream, into: &record),
            let row = decoder.joinedRow(tape, upstream)
        else { return }
        rows.insert(row)
    }
}
