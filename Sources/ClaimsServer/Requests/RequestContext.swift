// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore
import Synchronization

/// The way in which a request is answered.
enum Disposition {
    /// The result has been written.
    case answered
    /// The result has been written. The requests after it on the connection have this purpose.
    case introduced(Purpose)
    /// The result comes later. `start` begins the work, which calls its argument exactly once, on any thread.
    ///
    /// Without a `cancellation` the work cannot be stopped, and `cancel` is refused.
    case later(cancellation: Cancellation?, start: (@escaping @Sendable (RequestResult) -> Void) -> Void)
    /// The result comes later, and reports of its progress before; see ``Connection/report(_:_:_:)``. `start` begins the work, which
    /// calls its second argument exactly once, on any thread.
    case watched(
        Cancellation,
        start: (
            @escaping @Sendable (_ method: String, _ members: [UInt8]) -> Void,
            @escaping @Sendable (RequestResult) -> Void
        ) -> Void)
    /// The result comes after several messages; the next one is written when the peer has room.
    case stream(RecordStream)
    /// The request of the same connection with this id is cancelled.
    case cancel(id: [UInt8])
    /// A subscription of the connection begins.
    case subscribe(SubscriptionOrder)
    /// The subscription of the same connection with this number ends.
    case unsubscribe(Int64)

    /// Answers in the same way; `observe` gets a later result before the connection does.
    func observed(_ observe: @escaping @Sendable (RequestResult) -> Void) -> Disposition {
        func observing(_ done: @escaping @Sendable (RequestResult) -> Void) -> @Sendable (RequestResult) -> Void {
            { result in
                observe(result)
                done(result)
            }
        }
        switch self {
        case .later(let cancellation, let start):
            return .later(cancellation: cancellation) { done in start(observing(done)) }
        case .watched(let cancellation, let start):
            return .watched(cancellation) { report, done in start(report, observing(done)) }
        case .answered, .introduced, .stream, .cancel, .subscribe, .unsubscribe: return self
        }
    }
}

/// The services that handlers use: data, workers and the daemon. It knows no connections.
///
/// Not shared between threads: each loop has its own.
final class RequestContext {
    let queries: QueryContext
    let services: ServerServices
    let workers: QueryWorkers
    /// The threads that write files; a slow disk does not hold up queries on them.
    let files: QueryWorkers
    let feeds: FeedHub
    /// The requests that wait for operations.
    let watch: OutboxWatch
    /// The start of the server, in nanoseconds of the monotonic clock.
    let startedAt: UInt64
    /// The number of connections.
    let clientCount: @Sendable () -> Int
    /// The numbers of answered requests of all loops.
    let answers: AnswerCounts

    init(
        _ queries: QueryContext, services: ServerServices, workers: QueryWorkers, files: QueryWorkers? = nil,
        feeds: FeedHub, watch: OutboxWatch? = nil, startedAt: UInt64, clientCount: @escaping @Sendable () -> Int,
        answers: AnswerCounts = AnswerCounts(loops: 1)
    ) {
        self.queries = queries
        self.services = services
        self.workers = workers
        self.files = files ?? workers
        self.feeds = feeds
        self.watch = watch ?? OutboxWatch(services.timers, services.catalogs, services.outbox)
        self.startedAt = startedAt
        self.clientCount = clientCount
        self.answers = answers
    }

    var served: ServedCatalog { queries.served }
    var configuration: ServerConfiguration { served.configuration }

    /// The settings that bound some parameters.
    var requestBounds: RequestBounds {
        let limits = configuration.limits
        return RequestBounds(
            requestTime: limits.request.wholeMilliseconds, filter: limits.filter, operation: limits.operation)
    }

    /// Runs a query at once if it is quick; otherwise a worker runs it.
    ///
    /// A query that has not ended after ``QueryLimits/inline`` begins anew on a worker, so that it does not delay the
    /// other connections of the loop.
    func run(
        _ operation: some QueryOperation, for peer: Peer, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        do throws(QueryFailure) {
            try operation.run(queries, budget: QueryBudget(limit: QueryLimits.inline), to: &writer)
            return .answered
        } catch {
            if case .refused(let error) = error { throw error }
        }
        return runOnWorker(operation, for: peer)
    }

    /// Ends the unfinished uploads of a closed connection; their files are deleted on a thread that may wait for the
    /// disk.
    func endUploads(of peer: Peer) {
        let ended = services.attachments.end(connection: peer.requester.connection)
        guard !ended.isEmpty else { return }
        files.perform(for: peer) { _ in withExtendedLifetime(ended) {} }
    }

    /// Runs a query on a worker, because it waits for a disk or takes long.
    func runOnWorker(_ operation: some QueryOperation, for peer: Peer) -> Disposition {
        let cancellation = Cancellation()
        return .later(cancellation: cancellation) { [workers] done in
            workers.run(operation, for: peer, cancellation: cancellation, done: done)
        }
    }
}

/// The numbers of answered requests, one for each loop, for `status`.
///
/// Each loop counts for itself, so that loops never wait for each other's cache lines.
final class AnswerCounts: Sendable {
    /// The number of one loop. Only that loop adds; any thread may read.
    final class Counter: Sendable {
        private let count = Atomic<Int>(0)

        /// Adds answers. A store is enough, as no other thread writes.
        func add(_ answers: Int) {
            count.store(count.load(ordering: .relaxed) &+ answers, ordering: .relaxed)
        }

        var value: Int { count.load(ordering: .relaxed) }
    }

    private let counters: [Counter]

    init(loops: Int) {
        counters = (0..<loops).map { _ in Counter() }
    }

    /// The counter of a loop.
    func counter(of loop: Int) -> Counter { counters[loop] }

    /// The number of requests that all loops have answered since the start, including refusals.
    var total: Int { counters.reduce(0) { $0 + $1.value } }
}
