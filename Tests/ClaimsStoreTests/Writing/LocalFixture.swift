// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

/// A collection that this host is the truth of.
struct LocalFixture {
    static let now: Int64 = 1_800_000_000_000

    let base: OpenerFixture
    var store: StateStore { base.store }
    var opener: CollectionOpener { base.opener }
    var folder: TemporaryFolder { base.folder }

    init(_ folder: TemporaryFolder? = nil, _ definition: Definition? = nil) throws {
        base = try OpenerFixture(folder, definitions: [definition ?? Self.definition()])
    }

    static func definition(
        to destination: WriteRules.Destination? = .local, url: String? = nil, isTitleRequired: Bool = false,
        hasLabels: Bool = true
    ) throws -> Definition {
        func field(_ name: String, _ type: FieldType = .text, isRequired: Bool = false) throws -> Field {
            Field(name: name, type: type, from: [try JSONPointer("/" + name)], isRequired: isRequired)
        }
        var fields = [
            try field("id", .id), try field("title"), try field("phase"),
            try field("label", isRequired: isTitleRequired), try field("files", .json),
        ]
        if !hasLabels { fields[3] = try field("mark") }
        let rules = WriteRules(
            to: destination, fields: [FieldRule(field: 1, isRequired: true), FieldRule(field: 2), FieldRule(field: 3)],
            actions: [
                WriteAction(
                    name: "create", kind: .create, fields: [1, 2, 3],
                    set: [.init(field: 2, value: "open")], takesFiles: true),
                WriteAction(name: "update", kind: .update, fields: [1, 3], takesFiles: true),
                WriteAction(name: "delete", kind: .delete),
                WriteAction(
                    name: "close", kind: .named, condition: .init(filter: "phase=open"),
                    shows: [.init(field: 2, value: "closed")]),
            ],
            attachments: AttachmentRules(field: 4, types: ["image/png"], minCount: 0, maxCount: 2, maxSize: 100))
        return Definition(
            name: "things", source: Source(ReadRequest(url: url, root: try JSONPointer(""))), fields: fields,
            isArchivable: true,
            writes: rules)
    }

    /// The same with an upstream that takes writes.
    static func upstream(reference: String? = nil) throws -> Definition {
        let local = try definition(to: .upstream, url: "https://things.example/")
        var rules = try #require(local.writes)
        let request = WriteRequest(method: .post, address: WriteAddress("https://things.example/{id}"))
        for index in rules.actions.indices { rules.actions[index].request = request }
        rules.reference = try reference.map { try JSONPointer($0) }
        return Definition(
            name: local.name, source: local.source, fields: local.fields, isArchivable: true, writes: rules)
    }

    var view: CollectionView? { base.view }
    var seq: UInt64 { store.catalog.current().revision.seq }

    static func op(_ number: Int) -> OperationID { OperationID(time: now, random: (0, UInt64(number) << 2)) }

    /// Submits, and waits for the outcome.
    @discardableResult
    func submit(
        _ action: String, _ id: String? = nil, _ fields: JSONObject = [:], op number: Int, at time: Int64 = now,
        uid: UInt32 = 1000, pending: Int = 1000, change: (inout Submission) -> Void = { _ in }
    ) throws -> SubmitOutcome {
        var submission = Submission(
            Self.op(number), OperationAction(action), on: id.map { Array($0.utf8) }, of: "things", uid: uid,
            calendar: CivilCalendar(now: time),
            limits: .init(pending: pending, pendingBytes: 1 << 20, historyBytes: 1 << 20))
        submission.fields = fields
        change(&submission)
        let answer = Monitor<Result<SubmitOutcome, SubmitRefusal>?>(nil)
        store.submit(submission) { result in answer.update { $0 = result } }
        guard let result = answer.wait({ $0 }) else { throw TestFailure("no answer") }
        return try result.get()
    }

    /// The reason why a submission is refused; nil where it is not.
    func refusal(_ body: (LocalFixture) throws -> SubmitOutcome) throws -> SubmitRefusal? {
        do {
            _ = try body(self)
            return nil
        } catch let refusal as SubmitRefusal {
            return refusal
        }
    }

    /// The documents that are served, by id.
    var served: [String: String] {
        guard let view else { return [:] }
        var documents: [String: String] = [:]
        for layer in view.layers {
            for row in 0..<layer.count {
                guard let record = view.served(layer.idBytes(row)) else { continue }
                documents[String(decoding: layer.idBytes(row), as: UTF8.self)] = String(
                    decoding: record.document, as: UTF8.self)
            }
        }
        return documents
    }

    /// The state that a start after a crash at this moment finds.
    func crashed(_ definition: Definition? = nil) throws -> LocalFixture {
        try LocalFixture(try folder.copyOfStateAndCache(), definition)
    }

    /// The same folders, opened again.
    func reopened(_ definition: Definition? = nil) throws -> LocalFixture {
        store.close()
        return try LocalFixture(folder, definition)
    }
}
