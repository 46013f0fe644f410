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
    let secret: Monitor<String?>

    init(
        _ operations: [Operation] = [], store: MemoryStore? = nil, rules change: (inout WriteRules) -> Void = { _ in },
        treatment: @escaping WritingServer.Treatment
    ) throws {
        let server = try WritingServer(treatment)
        let store = store ?? MemoryStore()
        store.put(operations)
        let definition = Monitor(Self.definition(server.origin, change))
        let (events, refreshed) = (Monitor<[String]>([]), Monitor<[String]>([]))
        let secret = Monitor<String?>("s3cret")
        let maker = DefinedRequests(
            DefinedRequests.Catalog(
                definition: { name in definition.read { $0.name == name ? $0 : nil } },
                object: { _ in Array(#"{"id":7,"title":"old","more":1.50}"#.utf8) },
                reference: { _ in .known }, limits: { TransferLimits() }, path: { $0 }))
        outbox = OutboxSender(
            OutboxServices(
                store: store, maker: maker, writer: HTTPWriter(),
                secrets: { need, _, _ in
                    guard let auth = need.auth else { return .success(RequestSecrets()) }
                    let name = auth.credentials.first?.name ?? ""
                    return secret.read { $0 }.map { .success(RequestSecrets(credential: .bearer($0))) }
                        ?? .failure(.credential(.missing, Message(.credentialMissing, name)))
                },
                refresh: { name in refreshed.update { $0.append(name) } },
                report: { event in events.update { $0.append(Self.text(event)) } }), warn: 3_600_000)
        (self.server, self.store, self.definition) = (server, store, definition)
        (self.events, self.refreshed, self.secret) = (events, refreshed, secret)
    }

    deinit { outbox.stop(grace: .zero) }

    /// Submits operations while the outbox runs.
    func submit(_ operations: [Operation]) { store.put(operations) }

    static func definition(_ origin: String, _ change: (inout WriteRules) -> Void) -> Definition {
        let shelf = Shelf.definition
        func request(_ method: String, _ path: String, _ body: WriteRequest.Body, id: Bool = false) -> WriteRequest {
            WriteRequest(
                method: method, address: WriteAddress(origin + path), body: body,
                newID: id ? .location : nil, auth: .bearer("key"))
        }
        let all = Array(shelf.fields.indices)
        var rules = WriteRules(
            to: .upstream, fields: [FieldRule(field: Shelf.title)],
            actions: [
                WriteAction(
                    name: "create", kind: .create, fields: all, request: request("POST", "/books", .fields, id: true)),
                WriteAction(
                    name: "update", kind: .update, fields: all, request: request("PATCH", "/books/{id}", .fields)),
                WriteAction(name: "delete", kind: .delete, request: request("DELETE", "/books/{id}", .none)),
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
        case .notNoted: "not noted"
        case .unsaved: "unsaved"
        case .saved: "saved"
        }
    }
}
