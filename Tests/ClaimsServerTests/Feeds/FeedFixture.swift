// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsTestSupport

@testable import ClaimsServer
@testable import ClaimsStore

/// A store with two collections in a folder of its own, and a context that answers requests about it.
final class FeedFixture {
    static let now: Int64 = 1_800_000_000_000
    static let key: (UInt64, UInt64) = (1, 2)

    let folder: TemporaryFolder
    private(set) var store: StateStore
    private(set) var opener: CollectionOpener
    private(set) var context: RequestContext
    /// The event loop of timers, which a test may run.
    var timers: EventLoop { parts.timers }
    private var workers: QueryWorkers
    private var parts: ServedParts
    private(set) var definitions: [Definition]
    /// The time that requests are answered at, in milliseconds since 1970.
    let clock = ServedShelf.Shared(FeedFixture.now)
    private var router = RequestRouter()

    init(_ definitions: [Definition] = [Shelf.definition, FeedFixture.notes()]) throws {
        folder = try TemporaryFolder()
        try Directory.create(folder("state"))
        self.definitions = definitions
        (store, opener, context, workers, parts) = try Self.open(folder, definitions, clock)
    }

    deinit { stop() }

    private func stop() {
        workers.stop()
        parts.stop()
        store.close()
    }

    private static func open(
        _ folder: TemporaryFolder, _ definitions: [Definition], _ clock: ServedShelf.Shared<Int64>
    ) throws -> (StateStore, CollectionOpener, RequestContext, QueryWorkers, ServedParts) {
        let store = try StateStore(directory: folder("state"), cache: nil)
        let wallClock = WallClock { clock.with { $0 } }
        let opener = CollectionOpener(
            store: store, directory: folder("cache"), bundleDirectory: folder("data"), clock: wallClock,
            report: { _, _ in })
        try opener.open(definitions)
        let configuration = ServerConfiguration(
            version: "1", policy: RolePolicy(ownUser: 0), cursorKey: key, limits: ServingLimits(), clock: wallClock)
        let parts = try ServedParts(store, opener, in: folder.path, clock: wallClock)
        let services = parts.services
        let makeQueries = { @Sendable in
            QueryContext(
                ServedCatalog(configuration, store.catalog), unsent: BufferBudget(maxBytes: 1 << 30),
                openLog: { () throws(StoreError) in try store.database.changeLog() })
        }
        let workers = try QueryWorkers(threads: 1, make: makeQueries)
        let context = RequestContext(
            makeQueries(), services: services, workers: workers,
            feeds: try FeedHub(configuration, services, context: makeQueries()), startedAt: SystemClock.monotonic,
            clientCount: { 1 })
        return (store, opener, context, workers, parts)
    }

    /// Closes the store and opens it again, as a restart of the daemon does.
    func restart(with others: [Definition]? = nil) throws {
        definitions = others ?? definitions
        stop()
        (store, opener, context, workers, parts) = try Self.open(folder, definitions, clock)
    }

    func reload(_ definitions: [Definition]) {
        self.definitions = definitions
        _ = opener.reload(definitions)
    }

    static func notes(
        views: [NamedView] = [], isTextual: Bool = false, volatile: [String] = []
    ) -> Definition {
        func field(_ name: String, _ type: FieldType, isSearched: Bool = false) -> Field {
            Field(
                name: name, type: type, from: [JSONPointer(tokens: [Array(name.utf8)])], isSearched: isSearched)
        }
        return Definition(
            name: "notes", source: Source(),
            fields: [
                field("id", .id), field("title", .text, isSearched: true), field("level", isTextual ? .text : .integer),
                field("at", .instant),
            ], views: views, isArchivable: true,
            volatile: volatile.compactMap { try? JSONPointer($0) })
    }

    func view(_ name: String) throws -> CollectionView {
        guard let view = store.catalog.current()[name] else { throw TestFailure("there is no \(name)") }
        return view
    }

    /// Takes in a body as a refresh does.
    ///
    /// - Parameters:
    ///   - isAnswer: whether operations are settled by it.
    ///   - writesFile: whether all records go to a new file, however few have changed.
    func take(
        _ objects: [String], into name: String = "shelf", isAnswer: Bool = false, writesFile: Bool = false
    ) throws {
        let view = try view(name)
        let row = view.condition.row
        let base = row.hasData && !row.isBundle ? view.committed : nil
        let now = clock.with { $0 }
        let stage = try store.database.stage(row.number, at: now, historyBytes: 1 << 20)
        let identity = SnapshotIdentity(
            epoch: store.epoch, generation: stage.generation, fileID: RandomBytes.integer() | 1,
            definitionHash: view.definition.shapeHash)
        try opener.ensureDirectory()
        var plan = IntakePlan(definition: view.definition, base: base, now: now, recordLimit: .max)
        if writesFile { plan.bounds = .none }
        var intake = try RecordIntake(
            plan, root: JSONPointer(""), stage: stage, directory: opener.directory, identity: identity)
        try intake.read(ArrayBody(Array("[\(objects.joined(separator: ","))]".utf8)))
        let answer = isAnswer ? UpstreamAnswer(began: now, isComplete: true) : nil
        if base != nil && intake.counts.isUnchanged {
            try store.confirm(intake, [view.condition.source], by: answer)
        } else {
            try store.commit(intake, [view.condition.source], by: answer)
        }
    }

    /// Archives, or brings back, and waits for it.
    func archive(_ ids: [String], in name: String = "shelf", _ isArchiving: Bool = true) throws {
        let answer = Monitor<Result<ArchiveChange.Outcome, StoreError>?>(nil)
        let change = ArchiveChange(
            collection: name, ids: ids.map { Array($0.utf8) }, isArchiving: isArchiving, uid: 1000,
            at: clock.with { $0 })
        store.archive(change) { result in answer.update { $0 = result } }
        _ = try answer.wait { $0 }?.get()
    }

    /// Trims the log of a collection to so many changes.
    func trim(_ name: String, changes: Int) throws {
        try store.trimLog(of: name, RetentionLimits(oldest: 0, changes: changes, bytes: .max))
    }

    /// The result of a request, whichever way it comes.
    func ask(_ method: String, _ params: String = "{}", roles: RoleSet = .all) async throws -> JSONValue {
        context.served.refresh()
        let bytes = Array(#"{"id":1,"method":"\#(method)","params":\#(params)}"#.utf8)
        var writer = JSONWriter()
        let request = try router.read(bytes.rawSpan, maxDepth: 64)
        let disposition = try router.answer(
            request, in: bytes.rawSpan, from: ServedShelf.peer(roles), context, to: &writer)
        switch disposition {
        case .answered, .introduced:
            guard let result = try JSONValue.parse(writer.bytes)["result"] else { throw TestFailure("no result") }
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
        case .stream, .cancel, .subscribe, .unsubscribe: throw TestFailure("another disposition")
        }
    }

    /// The kind of the error that a request is answered with; nil where there is none.
    func refusal(_ method: String, _ params: String, roles: RoleSet = .all) async -> ErrorKind? {
        do {
            _ = try await ask(method, params, roles: roles)
            return nil
        } catch {
            return (error as? RequestError)?.kind
        }
    }

    /// The answer to `changes` from a clock on, with further parameters such as `,"limit":2`.
    func changes(_ since: String?, _ rest: String = "", of collection: String? = "shelf") async throws -> JSONValue {
        let named = collection.map { #","collection":"\#($0)""# } ?? ""
        let clock = since.map { #","since":"\#($0)""# } ?? ""
        return try await ask("changes", #"{"timeout_ms":10000\#(named)\#(clock)\#(rest)}"#)
    }
}

extension JSONValue {
    /// The entries of a page as `op id`, with the reason of removed ones.
    var told: [String] {
        (self["changes"]?.array ?? []).map { entry in
            let reason = entry["reason"]?.string.map { " \($0)" } ?? ""
            return "\(entry["op"]?.string ?? "") \(entry["id"]?.string ?? "")\(reason)"
        }
    }

    var clock: String? { self["clock"]?.string }
}
