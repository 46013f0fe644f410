// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsTestSupport
import Synchronization

@testable import ClaimsServer
@testable import ClaimsStore

/// A store whose catalog has two collections, one with records and one without, and a context that answers requests about
/// it.
///
/// Handlers are called as a loop calls them, through the router, without a socket.
final class ServedShelf {
    static let now: Int64 = 1_800_000_000_000
    static let objects = (1...8).map { number in
        let state = number % 2 == 0 ? "open" : "shut"
        let rest = #""state":"\#(state)","level":\#(number),"extra":{"a":[\#(number)]}"#
        return #"{"id":"\#(number)","title":"Book \#(number)",\#(rest)}"#
    }

    let folder: TemporaryFolder
    private let store: StateStore
    private let parts: ServedParts
    let fixture: SnapshotFixture
    let publisher: CatalogPublisher
    let context: RequestContext
    private let workers: QueryWorkers
    /// The events that handlers have reported.
    let events = Shared<[ServerEvent]>([])
    var router = RequestRouter()

    /// A value that closures of any thread may change.
    final class Shared<Value: Sendable>: Sendable {
        private let value: Mutex<Value>
        init(_ value: Value) { self.value = Mutex(value) }

        func with<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
            value.withLock { body(&$0) }
        }
    }

    /// - Parameters:
    ///   - others: further collections.
    ///   - attachments: the files of records; nil: none are kept.
    init(
        _ objects: [String] = ServedShelf.objects, definition: Definition = Shelf.definition,
        limits: ServingLimits = ServingLimits(), others: [CollectionView] = [], attachments: AttachmentStore? = nil
    ) throws {
        let fixture = try SnapshotFixture(objects, definition)
        self.fixture = fixture
        let revision = Revision(epoch: 1, seq: 2)
        var row = CollectionRow(number: 1, name: "shelf")
        row.generation = 3
        var source = SourceRow()
        source.asOf = Self.now - 5_000
        let full = CollectionView(
            definition: fixture.definition, snapshot: fixture.snapshot, archive: ArchiveOverlay(),
            condition: CollectionCondition(row: row, source: source))
        let empty = CollectionView(
            definition: Definition(
                name: "notes", singular: "note", source: Source(),
                fields: [Field(name: "id", type: .id, from: [JSONPointer(tokens: [Array("id".utf8)])])],
                deal: LocalizedText("{id}")),
            snapshot: nil, archive: ArchiveOverlay(),
            condition: CollectionCondition(row: CollectionRow(number: 2, name: "notes")))
        folder = try TemporaryFolder()
        try Directory.create(folder("state"))
        try folder.write("disk/file", [UInt8](repeating: 1, count: 4096))
        let store = try StateStore(directory: folder("state"))
        self.store = store
        let opener = CollectionOpener(
            store: store, directory: folder("cache"), bundleDirectory: folder("data"), report: { _, _ in })
        try opener.open([full.definition, empty.definition])
        publisher = store.catalog
        publisher.publish(Catalog(revision: revision, views: [full, empty] + others))
        let configuration = ServerConfiguration(
            version: "1.2.3", policy: RolePolicy(ownUser: 0), cursorKey: (1, 2), limits: limits,
            clock: WallClock { Self.now })
        let events = events
        parts = try ServedParts(
            store, opener, in: folder.path, attachments: attachments, folders: [folder("disk")],
            report: { event in events.with { $0.append(event) } })
        let services = parts.services
        let makeQueries = { @Sendable in
            QueryContext(
                ServedCatalog(configuration, store.catalog), unsent: BufferBudget(maxBytes: 1 << 30),
                openLog: { () throws(StoreError) in try store.database.changeLog() })
        }
        workers = try QueryWorkers(threads: 1, make: makeQueries)
        context = RequestContext(
            makeQueries(), services: services, workers: workers,
            feeds: try FeedHub(configuration, services, context: makeQueries()), startedAt: SystemClock.monotonic,
            clientCount: { 7 })
    }

    deinit {
        workers.stop()
        parts.stop()
        store.close()
    }

    /// The changes of archive marks that were made.
    var archived: [ArchiveChange] {
        events.with { events in
            events.compactMap { event in
                guard case .archived(let change, .success) = event else { return nil }
                return change
            }
        }
    }

    static func peer(
        _ roles: RoleSet = .all, scopes: Set<WriteScope> = [], process: Int32 = 10, connection: UInt64 = 1
    ) -> Peer {
        Peer(
            PeerCredentials(pid: process, uid: 1000, gid: 100, groups: []), roles: roles, scopes: scopes,
            requester: Requester(process: process, connection: connection))
    }

    /// Archives records of the catalog.
    func archive(_ ids: String...) { archive(ids) }

    /// Archives records of the catalog.
    func archive(_ ids: [String]) {
        let marks = ids.map { ArchiveMarkChange(id: Array($0.utf8), mark: ArchiveMark(at: Self.now, uid: 0)) }
        publisher.show(marks, of: "shelf")
        context.served.refresh()
    }

    /// The way in which a request line is answered, and the text that is written.
    func dispose(_ line: String, roles: RoleSet = .all) throws -> (disposition: Disposition, text: String) {
        let bytes = Array(line.utf8)
        var writer = JSONWriter()
        let request = try router.read(bytes.rawSpan, maxDepth: 64)
        let disposition = try router.answer(
            request, in: bytes.rawSpan, from: Self.peer(roles), context, to: &writer)
        return (disposition, String(decoding: writer.bytes, as: UTF8.self))
    }

    /// The result of a request, whichever way it comes.
    func ask(_ method: String, _ params: String = "{}", roles: RoleSet = .all) async throws -> JSONValue {
        let (disposition, text) = try dispose(#"{"id":1,"method":"\#(method)","params":\#(params)}"#, roles: roles)
        switch disposition {
        case .answered, .introduced:
            guard let result = try JSONValue.parse(Array(text.utf8))["result"] else { throw TestFailure(text) }
            return result
        case .later(_, let start):
            let result: RequestResult = await withCheckedContinuation { continuation in
                start { continuation.resume(returning: $0) }
            }
            return try JSONValue.parse(result.get())
        case .watched(_, let start):
            let result: RequestResult = await withCheckedContinuation { continuation in
                start({ _, _ in }) { continuation.resume(returning: $0) }
            }
            return try JSONValue.parse(result.get())
        case .stream(let stream):
            var writer = JSONWriter()
            while true {
                if case .end(let result) = try stream.next(context.queries, id: [0x31], to: &writer) {
                    return try JSONValue.parse(result)
                }
                writer.newline()
            }
        case .subscribe(let order): return try JSONValue.parse(order.result(1))
        case .unsubscribe(let number): return .number("\(number)")
        case .cancel(let id): return .string(String(decoding: id, as: UTF8.self))
        }
    }

    /// The kind of the error that a request is answered with; nil where there is none.
    func refusal(_ method: String, _ params: String = "{}", roles: RoleSet = .all) async -> ErrorKind? {
        do {
            _ = try await ask(method, params, roles: roles)
            return nil
        } catch {
            return (error as? RequestError)?.kind
        }
    }
}
