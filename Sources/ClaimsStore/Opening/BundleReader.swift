// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// Serves collections from a file which came with the program, until their upstream has answered.
struct BundleReader: Sendable {
    private let context: OpeningContext
    /// The folder that paths of bundles are relative to.
    private let directory: String

    init(_ context: OpeningContext, directory: String) {
        self.context = context
        self.directory = directory
    }

    /// Serves the bundle, unless it is being served already.
    ///
    /// - Returns: whether it is being served.
    @discardableResult
    func serve(_ view: CollectionView, isForced: Bool = false) -> Bool {
        let definition = view.definition
        let path = Paths.join(directory, definition.bundle ?? "")
        let key = bundleKey(path, definition)
        if !isForced && view.snapshot != nil && view.condition.row.bundleKey == key { return true }
        let bytes: [UInt8]
        let cap = definition.source.limits.applied(to: TransferLimits()).body
        do throws(SystemError) { bytes = try Files.readAll(path, cap: cap) } catch {
            context.report(definition.name, .badBundle(path: path, detail: error.message))
            return false
        }
        // The records in force stay if the new file has no record that can be served.
        if let obstacle = BundleBody.obstacle(bytes, definition) {
            context.report(definition.name, .badBundle(path: path, detail: obstacle))
            return false
        }
        do throws(IntakeError) {
            let records = try build(bytes, view, key)
            context.report(definition.name, .bundled(records: records))
            return true
        } catch {
            if case .store(let error) = error {
                context.fail(definition.name, error)
            } else {
                let reason = BundleBody.reason(error, root: BundleBody.root(bytes, definition))
                context.report(definition.name, .badBundle(path: path, detail: reason))
            }
            return false
        }
    }

    private func build(_ bytes: [UInt8], _ view: CollectionView, _ key: UInt64) throws(IntakeError) -> Int {
        let definition = view.definition
        try Self.storing { () throws(StoreError) in try context.folder.ensure() }
        let root = BundleBody.root(bytes, definition)
        var intake = try Self.storing { () throws(StoreError) in
            let now = context.clock.now()
            let stage = try context.store.database.stage(view.condition.row.number, at: now, historyBytes: 0)
            let plan = IntakePlan(
                definition: definition, isStored: false, now: now, recordLimit: .max)
            let identity = SnapshotIdentity(new: stage.generation, of: definition, epoch: context.store.epoch)
            return try RecordIntake(plan, root: root, stage: stage, directory: context.folder.path, identity: identity)
        }
        do throws(IntakeError) { try intake.read(ArrayBody(bytes)) } catch {
            intake.abandon()
            throw error
        }
        let records = intake.counts.records
        var source = view.condition.source
        source.drift = intake.drift(after: DriftReport())
        do throws(StoreError) { try context.store.commit(intake, [source], bundleKey: key) } catch {
            throw .store(error)
        }
        return records
    }

    /// A key that changes with the file and with the way in which it is read; never 0.
    private func bundleKey(_ path: String, _ definition: Definition) -> UInt64 {
        let text = "\(path) \(Files.size(path) ?? 0) \(Files.modified(path) ?? 0) \(definition.shapeHash)"
        return Checksum.of(Array(text.utf8).rawSpan) | 1
    }

    private static func storing<Result: ~Copyable>(
        _ body: () throws(StoreError) -> Result
    ) throws(IntakeError) -> Result {
        do throws(StoreError) { return try body() } catch { throw .store(error) }
    }
}
