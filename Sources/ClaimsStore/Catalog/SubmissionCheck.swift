// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsQuery
import ClaimsSnapshot

/// A submission that has passed its checks, and the state of its record after it.
struct PreparedWrite {
    var id: [UInt8]
    var write: CheckedWrite
    /// The record before; nil for a new one.
    var before: ServedRecord?
    /// The object of the record afterwards; nil: there is none.
    var upstream: [UInt8]?
    /// The fields that are served afterwards.
    var document: [UInt8]?
    /// Added, updated or removed.
    var logged: LoggedOperation
    /// See ``LoggedChange/values``.
    var values: [UInt8]
    /// The names of the fields whose values differ.
    var changed: [String]
    /// Whether the record stays as it is.
    var isSame = false
}

/// Checks submissions against the served state at one moment. Users get the errors in the order of the checks.
struct SubmissionCheck {
    let submission: Submission
    let view: CollectionView
    let catalog: Catalog
    /// The values of the definition's second request.
    var joined: JoinTable?

    private var definition: Definition { view.definition }

    /// The first half: checks the action.
    func offered() throws(SubmitRefusal) -> WriteAction {
        let rules = submission.sight(definition).definition(definition).writes
        guard let action = rules?.offered(submission.action.name) else {
            throw .notOffered(rules?.offered.map(\.name) ?? [])
        }
        return action
    }

    /// The second half: checks everything else but the room. Known operations do not reach it.
    func prepare(_ action: WriteAction) throws(SubmitRefusal) -> PreparedWrite {
        let record = action.kind == .create ? nil : submission.id.flatMap { view.currentID($0) }
        let sight = submission.sight(definition)
        // The author has no record before if the author does not see it.
        let before = record.flatMap { view.served($0) }.flatMap { sight.sees($0) ? $0 : nil }
        var write = try checkedWrite(action, before)
        let id = record ?? submission.op.bytes
        if action.kind == .create {
            guard view.served(view.currentID(submission.op.bytes)) == nil else { throw .recordExists }
        } else {
            if view.isWithheld(now: submission.calendar.now) { throw .withheld }
            guard let before else { throw view.snapshot == nil ? .noData : .notFound }
            try requireCondition(of: action, before)
            try requireExpected(before)
        }
        addFileList(of: action, before, to: &write)
        return try prepare(write, on: id, before)
    }

    private func checkedWrite(
        _ action: WriteAction, _ before: ServedRecord?
    ) throws(SubmitRefusal) -> CheckedWrite {
        let catalog = catalog
        let checker = WriteChecker(
            definition, definition.writes ?? WriteRules(), calendar: submission.calendar,
            isReference: { [sight = submission.sight] in catalog.hasRecord($1, in: $0, by: sight) })
        try requireShown(action)
        var files = FileChange(attached: submission.files, detached: submission.detached)
        if action.kind != .create, definition.isLocal { files.existing = fileList(before).compactMap(\.listedFile) }
        do throws(InvalidWrite) {
            let write = try checker.check(
                action, fields: submission.fields, files: files, expected: submission.expected)
            return catalog.renamed(write, in: definition)
        } catch {
            throw .invalid(error.problems)
        }
    }

    /// Checks that the author sees all of each field that the submission names.
    private func requireShown(_ action: WriteAction) throws(SubmitRefusal) {
        let seen = submission.sight(definition).definition(definition)
        guard seen.hasSights else { return }
        let checker = WriteChecker(
            seen, seen.writes ?? WriteRules(), calendar: submission.calendar, isReference: { _, _ in true })
        var names = submission.fields.members.map(\.key)
        names += submission.expected.members.map { $0.key.hasSuffix(".raw") ? String($0.key.dropLast(4)) : $0.key }
        var problems = checker.unseen(names, action)
        let hasFiles = !submission.files.isEmpty || !submission.uploads.isEmpty || !submission.detached.isEmpty
        if hasFiles, seen.writes?.attachments == nil { problems.append(checker.noFiles(action)) }
        if !problems.isEmpty { throw .invalid(problems) }
    }

    private func requireCondition(of action: WriteAction, _ record: ServedRecord) throws(SubmitRefusal) {
        guard let filter = action.condition?.filter else { return }
        let calendar = submission.calendar
        let context = FilterContext(definition: definition, now: calendar.now, startOfDay: calendar.startOfDay)
        let predicate: Predicate
        do throws(FilterError) { predicate = try FilterParser.parse(filter).typed(in: context) } catch {
            // The configuration has checked it, but a definition from elsewhere may not have been checked.
            throw .store(StoreError(.fault, "read the filter of an action", detail: action.name))
        }
        let matches: Bool
        do throws(QueryInterruption) {
            matches = try record.snapshot.matches(predicate, row: record.row)
        } catch {
            throw .store(StoreError(.fault, "match a record", detail: action.name))
        }
        guard matches else { throw .notMatching(filter: filter) }
    }

    private func requireExpected(_ record: ServedRecord) throws(SubmitRefusal) {
        guard !submission.expected.isEmpty else { return }
        let served = (try? JSONValue.parse(record.document, depth: JSONValue.maximumDepth))?.object ?? JSONObject()
        let comparison = FieldComparison(definition)
        var mismatches: [SubmitRefusal.Mismatch] = []
        for member in submission.expected.members {
            let value = served[member.key] ?? .null
            let isEqual =
                definition.fieldIndex(member.key).map {
                    comparison.areEqual(member.value, served[member.key], field: $0)
                } ?? (member.value == value)
            if !isEqual { mismatches.append(.init(field: member.key, expected: member.value, served: value)) }
        }
        if !mismatches.isEmpty { throw .unexpected(mismatches) }
    }

    private func prepare(
        _ write: CheckedWrite, on id: [UInt8], _ before: ServedRecord?
    ) throws(SubmitRefusal) -> PreparedWrite {
        var difference = DocumentDifference(definition)
        if write.action.kind == .delete, let before {
            return PreparedWrite(
                id: id, write: write, before: before, logged: .removed,
                values: difference.lasting(before.document.rawSpan),
                changed: [])
        }
        let upstream: [UInt8]
        do throws(ComposeError) {
            upstream = try WriteComposer(definition).object(
                showing: write, over: before?.upstream, id: before == nil ? id : nil)
        } catch {
            throw .invalid([problem(error, write)])
        }
        let record = try decoded(upstream, id)
        // An action may move a record out of its author's sight.
        if write.action.kind != .named, !submission.sight(definition).sees(record, of: definition) {
            throw .outsideRows
        }
        var prepared = PreparedWrite(
            id: id, write: write, before: before, upstream: record.upstream, document: record.document, logged: .added,
            values: [], changed: names(in: record.document).filter { $0 != definition.fields[definition.idField].name })
        guard let before else { return prepared }
        prepared.logged = .updated
        if let values = difference.compare(old: before.document.rawSpan, new: record.document.rawSpan) {
            prepared.values = values
            prepared.changed = names(in: values)
        } else {
            // An action may do something that no field shows.
            prepared.isSame = definition.isLocal || write.action.kind == .update && submission.files.isEmpty
            prepared.changed = []
        }
        return prepared
    }

    /// Decodes an object like an answer of an upstream.
    private func decoded(_ upstream: [UInt8], _ id: [UInt8]) throws(SubmitRefusal) -> DecodedRecord {
        var tape = JSONTape()
        var record = DecodedRecord()
        var decoder = RecordDecoder(definition: definition, joined: joined)
        guard upstream.count <= IntakePlan.maxRecordSize,
            (try? tape.parse(upstream.rawSpan, from: 0, depth: JSONElements.bodyDepth)) != nil
        else { throw .invalid([Self.undecodable("too large", definition)]) }
        if case .quarantined(let reason, _) = decoder.decode(tape, upstream.rawSpan, into: &record) {
            throw .invalid([Self.undecodable(reason, definition)])
        }
        guard record.id == id else { throw .invalid([Self.undecodable("another id", definition)]) }
        return record
    }

    private static func undecodable(_ reason: String, _ definition: Definition) -> FieldProblem {
        FieldProblem(
            definition.fields[definition.idField].name, .type,
            TranslatedText(
                en: "the record could not be read by its definition any more: \(reason)",
                pl: "rekordu nie dałoby się już odczytać według jego definicji: \(reason)"))
    }

    /// Translates the error that a value has no location in the object.
    private func problem(_ error: ComposeError, _ write: CheckedWrite) -> FieldProblem {
        var field = definition.fields[definition.idField].name
        if case .array(let pointer) = error,
            let found = write.shown.first(where: {
                definition.fields[$0.field].from.contains { $0.isRelated(to: pointer) }
            })
        {
            field = definition.fields[found.field].name
        }
        return FieldProblem(
            field, .type,
            TranslatedText(
                en: "the record has something else where the value of '\(field)' belongs",
                pl: "w rekordzie jest coś innego tam, gdzie należy wartość pola „\(field)”"))
    }

    /// The names of the fields that a document or the values of a change have, in the definition's order.
    private func names(in document: [UInt8]) -> [String] {
        let object = (try? JSONValue.parse(document, depth: JSONValue.maximumDepth))?.object ?? JSONObject()
        let keys = Set(object.members.map(\.key))
        return definition.fields.map(\.name).filter { keys.contains($0) || keys.contains($0 + ".raw") }
    }
}

// MARK: - The list of files

extension SubmissionCheck {
    private func fileList(_ record: ServedRecord?) -> [JSONValue] {
        guard let record, let field = definition.writes?.attachments?.field else { return [] }
        let document = (try? JSONValue.parse(record.document, depth: JSONValue.maximumDepth))?.object
        return document?[definition.fields[field].name]?.array ?? []
    }

    /// Adds the list of files to the field in which a record of this host's own keeps it.
    private func addFileList(of action: WriteAction, _ before: ServedRecord?, to write: inout CheckedWrite) {
        guard definition.isLocal, let rules = definition.writes?.attachments(of: action),
            !submission.files.isEmpty || !submission.detached.isEmpty
        else { return }
        let before = fileList(before)
        let listed = before.indices.filter { before[$0].listedFile != nil }
        let files = listed.compactMap { before[$0].listedFile }
        let change = FileChange(attached: submission.files, detached: submission.detached)
        let remaining = change.remaining(of: files).indexes
        let gone = Set(listed).subtracting(remaining.map { listed[$0] })
        let added = change.added(to: remaining.map { files[$0] }).map { file -> JSONValue in
            [
                "name": .string(file.name), "type": .string(file.type), "size": .integer(file.size),
                "sha256": .string(file.sha256),
            ]
        }
        let list = before.indices.filter { !gone.contains($0) }.map { before[$0] } + added
        write.set.append(WrittenValue(field: rules.field, value: list.isEmpty ? .null : .array(list)))
    }
}

extension JSONValue {
    /// A file that a record lists; nil for any other element of its list.
    fileprivate var listedFile: ListedFile? {
        self["sha256"]?.string.map { ListedFile(sha256: $0, name: self["name"]?.string ?? $0) }
    }
}
