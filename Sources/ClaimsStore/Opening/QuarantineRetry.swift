// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// The outcome for quarantined elements that were decoded again.
public struct QuarantineOutcome: Sendable, Equatable {
    /// An element that is a record now.
    public struct Accepted: Sendable, Equatable {
        public var entry: Int64
        public var id: String
    }

    /// An element that stays in quarantine.
    public struct Refused: Sendable, Equatable {
        public var entry: Int64
        public var reason: String
    }

    /// Ascending by entry.
    public var accepted: [Accepted] = []
    /// Ascending by entry.
    public var refused: [Refused] = []
    /// The revision afterwards.
    public var revision: Revision
}

/// Decodes quarantined elements again, and serves those that are records now.
struct QuarantineRetry: Sendable {
    private let context: OpeningContext
    private let verifier: SnapshotVerifier
    private var store: StateStore { context.store }

    init(_ context: OpeningContext, _ verifier: SnapshotVerifier) {
        self.context = context
        self.verifier = verifier
    }

    /// See ``CollectionOpener/retryQuarantined(_:of:historyBytes:)``.
    func retry(
        _ entry: Int64?, of name: String, historyBytes: Int
    ) throws(StoreError) -> QuarantineOutcome {
        try context.folder.ensure()
        guard context.view(name) != nil else {
            throw StoreError(.noCollection, Self.retrying, detail: name)
        }
        verifier.verify(name)
        guard let view = context.view(name), let committed = view.committed, !view.condition.row.isBundle
        else {
            throw StoreError(.missing, Self.retrying, detail: "there are no records of an upstream")
        }
        var outcome = QuarantineOutcome(revision: store.catalog.current().revision)
        let joined = JoinTable(
            definition: view.definition, stored: try store.database.joined(of: view.condition.row))
        let served = ServedRecords(view: view, committed: committed, joined: joined)
        let accepted = try trial(entry, beside: served, &outcome)
        guard !accepted.isEmpty else { return outcome }
        try commit(accepted, beside: served, historyBytes: historyBytes)
        outcome.revision = store.catalog.current().revision
        return outcome
    }

    private static let retrying = "retry quarantined elements"

    /// The definition and the join that decode the elements, and the records that the elements are added to.
    private struct ServedRecords {
        let view: CollectionView
        let committed: CommittedRecords
        let joined: JoinTable?
    }

    /// Finds the elements that are records now, and keeps all verdicts.
    private func trial(
        _ wanted: Int64?, beside served: ServedRecords, _ outcome: inout QuarantineOutcome
    ) throws(StoreError) -> [QuarantineEntry] {
        var trial = QuarantineTrial(served.view.definition, joined: served.joined)
        var accepted: [QuarantineEntry] = []
        var refused: [QuarantineOutcome.Refused] = []
        var ids: Set<[UInt8]> = []
        try store.database.forEachQuarantined(of: served.view.condition.row.number) { entry throws(StoreError) in
            guard wanted == nil || wanted == entry.number else { return }
            switch trial.decode(entry) {
            case .refused(let reason): refused.append(.init(entry: entry.number, reason: reason))
            case .accepted where served.committed.row(forID: trial.record.id.rawSpan) != nil:
                refused.append(.init(entry: entry.number, reason: "a record with this id is served"))
            case .accepted where !ids.insert(trial.record.id).inserted:
                refused.append(.init(entry: entry.number, reason: "a later record has the same id"))
            case .accepted:
                var entry = entry
                entry.id = String(decoding: trial.record.id, as: UTF8.self)
                accepted.append(entry)
            }
        }
        // The elements were read from the last to the first.
        accepted.reverse()
        outcome.accepted = accepted.map { .init(entry: $0.number, id: $0.id ?? "") }
        outcome.refused = refused.reversed()
        return accepted
    }

    /// Makes a generation of all served records and the accepted ones.
    private func commit(
        _ accepted: [QuarantineEntry], beside served: ServedRecords, historyBytes: Int
    ) throws(StoreError) {
        let now = context.clock.now()
        let view = served.view
        var stage = try store.database.stage(view.condition.row.number, at: now, historyBytes: historyBytes)
        guard stage.base.generation == view.condition.row.generation else {
            stage.abandon()
            throw StoreError(.mismatch, Self.retrying, detail: "the collection has changed meanwhile")
        }
        let identity = SnapshotIdentity(new: stage.generation, of: view.definition, epoch: store.epoch)
        var plan = IntakePlan(
            definition: view.definition, joined: served.joined, base: served.committed, now: now, recordLimit: .max)
        plan.bounds = view.recentBounds
        plan.pendingFiles = store.pendingFiles
        var output = try IntakeOutput(plan, stage: stage, directory: context.folder.path, identity: identity)
        do throws(StoreError) { try write(accepted, beside: served, at: now, to: &output) } catch {
            output.abandon()
            throw error
        }
        var finished = try output.finish(keeping: CarriedRows([], plan), DocumentDifference(view.definition))
        do throws(StoreError) {
            try store.generations.commit(&finished.stage, GenerationCommit(finished.records, sources: []))
        } catch {
            finished.records.newFile?.removeWhenUnused()
            finished.stage.abandon()
            throw error
        }
    }

    private func write(
        _ accepted: [QuarantineEntry], beside served: ServedRecords, at now: Int64, to output: inout IntakeOutput
    ) throws(StoreError) {
        var trial = QuarantineTrial(served.view.definition, joined: served.joined)
        let nowhere = SeenRecords.Location(start: 0, end: 0, index: 0)
        for entry in accepted {
            guard case .accepted = trial.decode(entry) else {
                throw StoreError(.mismatch, Self.retrying, detail: "an element was decoded in two ways")
            }
            try output.noteAddition(of: trial.record)
            _ = try output.add(trial.record, nowhere, row: nil, firstSeen: now, changedAt: now)
        }
        output.release(accepted.map(\.number))
    }
}
