// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsOutbox
import ClaimsPlatform
import ClaimsTestSupport
import ClaimsUpstream

/// An outbox over a store in memory, whose operations go to a real server.
final class OutboxFixture: Sendable {
    let server: WritingServer
    let store: MemoryStore
    let outbox: OutboxSender
    let definition: Monitor<Definition>
    let events: Monitor<[String]>
    let refreshed: Monitor<[String]>
    private let folder: TemporaryFolder

    init(
        _ operations: [Operation] = [], store: MemoryStore? = nil, rules change: (inout WriteRules) -> Void = { _ in },
        treatment: @escaping WritingServer.Treatment
    ) throws {
        let server = try WritingServer(treatment)
        let store = store ?? MemoryStore()
        store.put(operations)
        let definition = Monitor(Self.definition(server.origin, change))
        let (events, refreshed) = (Monitor<[String]>([]), Monitor<[String]>([]))
        let folder = try TemporaryFolder()
        outbox = OutboxSender(
            OutboxServices(
                store: store, maker: DefinedRequests(Catalog(definition: definition)), writer: HTTPWriter(),
                access: UpstreamAccess(credentials: CredentialReader(directory: folder.path)),
                refresher: Refreshes(names: refreshed),
                report: { event in events.update { $0.append(Self.text(event)) } }), warn: 3_600_000)
        (self.server, self.store, self.definition) = (server, store, definition)
        (self.events, self.refreshed, self.folder) = (events, refreshed, folder)
        try setSecret("s3cret")
    }

    deinit { outbox.stop(grace: .zero) }

    /// Puts another credential in place; nil: there is none.
    func setSecret(_ secret: String?) throws {
        if let secret { try folder.write("key", secret) } else { Files.remove(folder("key")) }
    }

    /// One definition, whose records are all alike.
    private struct Catalog: RequestCatalog {
        let definition: Monitor<Definition>
        let limits = TransferLimits()

        func definition(of collection: String) -> Definition? {
            definition.read { $0.name == collection ? $0 : nil }
        }

        func object(before operation: Operation) -> [UInt8]? {
            Array(#"{"id":7,"title":"old","more":1.50}"#.utf8)
        }

        func state(of reference: WriteReference) -> ReferenceState { .known }

        func objection(to operation: Operation) -> Message? { nil }

        func path(of sha256: String) -> String { sha256 }
    }

    /// Notes the collections that are to be refreshed.
    private struct Refreshes: CollectionRefresher {
        let names: Monitor<[String]>

        func refreshSoon(_ collection: String) { names.update { $0.append(collection) } }
    }

    /// Submits operations while the outbox runs.
    func submit(_ operations: [Operation]) { store.put(operations) }

    static func definition(_ origin: String, _ change: (inout WriteRules) -> Void) -> Definition {
        let shelf = Shelf.definition
        func request(_ method: HTTPMethod, _ path: String, _ body: WriteRequest.Body, id: Bool = false) -> WriteRequest
        {
            WriteRequest(
                method: method, address: WriteAddress(origin + path), body: body,
                newID: id ? .location : nil, auth: .bearer("key"))
        }
        let all = Array(shelf.fields.indices)
        var rules = WriteRules(
            to: .upstream, fields: [FieldRule(field: Shelf.title)],
            actions: [
                WriteAction(
                    name: "create", kind: .create, fields: all, request: request(.post, "/books", .fields, id: true)),
                WriteAction(
                    name: "update", kind: .update, fields: all, request: request(.patch, "/books/{id}", .fields)),
                WriteAction(name: "delete", kind: .delete, request: request(.delete, "/books/{id}", .none)),
            ])
        change(&rules)
        return Definition(
            name: "books", source: Source(ReadRequest(url: origin + "/books", root: shelf.source.request.root)),
            fields: shelf.fields,
            vocabularies: shelf.vocabularies, isArchivable: true, writes: rules)
    }

    static func text(_ event: OutboxEvent) -> String {
        switch event {
        case .stuck(let operation): "stuck \(operation.state.rawValue)"
        case .paused: "paused"
        case .recovered: "recovered"
        case .waiting(let count, _): "waiting \(count)"
        case .unrecorded: "not noted"
        case .unsaved: "unsaved"
        case .saved: "saved"
        }
    }
}
