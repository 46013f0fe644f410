// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON
public import ClaimsModel
import ClaimsSnapshot

/// Prepares people's decisions about operations: checks corrected values, and reads the values that are served now.
public struct OperationCorrection: Sendable {
    private let catalog: Catalog
    private let sight: RecordSight.Judge

    /// - Parameter sight: the part of a collection that the deciding user sees, and so can refer to.
    public init(_ catalog: Catalog, by sight: @escaping RecordSight.Judge = { _ in .all }) {
        self.catalog = catalog
        self.sight = sight
    }

    /// The values of an operation with some replaced, checked anew by the rules in force.
    ///
    /// - Parameter fields: values by the names of fields; null clears one.
    /// - Returns: nil if the definition, or its action, is gone.
    /// - Throws: all mistakes.
    public func values(
        of operation: Operation, correctedBy fields: JSONObject, _ calendar: CivilCalendar
    ) throws(InvalidWrite) -> OperationValues? {
        guard let view = catalog[operation.collection], let rules = view.definition.writes,
            let action = rules.offered(operation.action.name)
        else { return nil }
        var given = operation.values.given
        for member in fields.members { given[member.key] = member.value }
        let (catalog, sight) = (catalog, sight)
        let checker = WriteChecker(view.definition, rules, calendar: calendar) { collection, id in
            catalog.hasRecord(id, in: collection, by: sight)
        }
        let attached = FileChange(attached: operation.values.files, detached: operation.values.detached)
        let write = catalog.renamed(
            try checker.check(action, fields: given, files: attached), in: view.definition)
        var values = write.values(in: view.definition)
        values.files = operation.values.files
        values.detached = operation.values.detached
        let basis = view.basis(of: write, on: Array(operation.record.utf8))
        values.before = basis.before
        values.wasInSnapshot = basis.isInSnapshot
        return values
    }

    /// The reason why the rules in force do not allow an operation, in words; nil: they allow it.
    ///
    /// Words such as `today` mean the day of its submission, by UTC.
    public func objection(to operation: Operation) -> Message? {
        let calendar = CivilCalendar(now: operation.submittedAt)
        do throws(InvalidWrite) {
            if try values(of: operation, correctedBy: JSONObject(), calendar) != nil { return nil }
            return Message(.writeNotOffered, operation.action.name)
        } catch {
            var names: [String] = []
            for problem in error.problems where !names.contains(problem.field) { names.append(problem.field) }
            return Message(.writeUnfitting, names.joined(separator: ", "))
        }
    }

    /// Whether the deciding user sees the record of an operation. The upstream's record counts; if the upstream does
    /// not have it yet, the served one. A record that does not exist is hidden from no user.
    public func seesRecord(of operation: Operation) -> Bool {
        guard let view = catalog[operation.collection] else { return true }
        let id = view.currentID(Array(operation.record.utf8))
        guard let record = view.committed?.record(forID: id.rawSpan) ?? view.served(id) else { return true }
        return sight(view.definition).sees(record)
    }

    /// The current values in the snapshot of the fields that an operation writes, and whether the snapshot has the
    /// record.
    ///
    /// - Returns: nil if the definition is gone.
    public func basis(of operation: Operation) -> (before: JSONObject, isInSnapshot: Bool)? {
        guard let view = catalog[operation.collection] else { return nil }
        let definition = view.definition
        let action =
            definition.writes?.actions.first { $0.name == operation.action.name }
            ?? WriteAction(name: operation.action.name, kind: .named)
        guard let write = CheckedWrite(operation.values, action: action, in: definition) else { return nil }
        return view.basis(of: write, on: Array(operation.record.utf8))
    }
}

extension Catalog {
    /// Whether a collection, by its name, serves a record of that id, or of the one that the upstream gave it later.
    ///
    /// - Parameter sight: the part of a collection that the user sees.
    func hasRecord(_ id: String, in collection: String, by sight: RecordSight.Judge) -> Bool {
        guard let view = self[collection] else { return false }
        return view.served(view.currentID(Array(id.utf8))).map(sight(view.definition).sees) ?? false
    }

    /// The write, with references to records by their current ids.
    func renamed(_ write: CheckedWrite, in definition: Definition) -> CheckedWrite {
        write.replacing(in: definition) { reference in
            guard let view = self[reference.collection] else { return nil }
            let id = Array(reference.id.utf8)
            let current = view.currentID(id)
            return current == id ? nil : String(decoding: current, as: UTF8.self)
        }
    }
}

extension CollectionView {
    /// The values in the snapshot of the fields that a write writes, null for absent ones, and whether the snapshot has
    /// the record. A delete writes all fields but volatile ones.
    func basis(of write: CheckedWrite, on id: [UInt8]) -> (before: JSONObject, isInSnapshot: Bool) {
        guard let record = committed?.record(forID: id.rawSpan) else { return (JSONObject(), false) }
        let known = FieldComparison(definition).values(of: record.snapshot.document(record.row))
        let fields = write.action.kind == .delete ? Array(definition.fields.indices) : write.touched
        var before = JSONObject()
        for field in fields where !definition.fields[field].isVolatile {
            before[definition.fields[field].name] = known[field] ?? .null
        }
        return (before, true)
    }
}
