// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsPlatform
public import ClaimsStore
public import ClaimsUpstream
import Synchronization

/// The outbox of a daemon: sends writes to upstreams, and performs people's decisions about them.
///
///     let outbox = try Outbox(store, settings: settings, access: access, refresher: refresher, files: folder) { event in }
///     try outbox.start()
///     outbox.decide(order) { result in print(result) }
///     outbox.stop(grace: .seconds(1))
///
/// Every call may be made on any thread; `stop` waits for requests to end, so it does not belong on a serving loop.
public final class Outbox: Sendable {
    /// Receives what an order has changed; called once, on any thread.
    public typealias OrderCompletion = @Sendable (Result<OutboxReply, OutboxRefusal>) -> Void

    private let sender: OutboxSender
    private let store: StateStore
    private let operations: StoredOperations
    /// The thread on which decisions of people are performed, because they wait for the store.
    private let decisions: WorkerPool
    private let settings: Mutex<OutboxSettings>
    private let report: @Sendable (OutboxEvent) -> Void

    /// - Parameters:
    ///   - refresher: gets requests for refreshes that show accepted writes.
    ///   - files: the folder of kept files.
    ///   - report: receives events for people, on any thread.
    public init(
        _ store: StateStore, settings: Settings, access: UpstreamAccess, refresher: any CollectionRefresher,
        files: String, report: @escaping @Sendable (OutboxEvent) -> Void
    ) throws(SystemError) {
        decisions = try WorkerPool(name: "decisions", threads: 1)
        let operations = StoredOperations(store, limits: settings.transfer, files: files)
        self.store = store
        self.operations = operations
        self.settings = Mutex(settings.outbox)
        self.report = report
        store.settler = Settlement()
        sender = OutboxSender(
            OutboxServices(
                store: operations, maker: DefinedRequests(operations), writer: HTTPWriter(userAgent: "claimsd"),
                access: access, refresher: refresher, report: report), warn: settings.outbox.warn.wholeMilliseconds)
    }

    /// Begins to send. Definitions may have changed while the daemon was down.
    public func start() throws(OutboxError) {
        holdUnfitting()
        try sender.start()
    }

    /// Takes other settings into use, and checks the definitions in the catalog again.
    public func configure(_ settings: Settings) {
        self.settings.withLock { $0 = settings.outbox }
        operations.limits = settings.transfer
        holdUnfitting()
        sender.configure(warn: settings.outbox.warn.wholeMilliseconds)
    }

    /// Ends all requests, which have `grace` to be answered.
    public func stop(grace: Duration) {
        decisions.stop()
        sender.stop(grace: grace)
    }

    /// The rounds of the schedule so far: ``wake()`` makes one more while it is well.
    public var ticks: UInt64 { sender.ticks }

    /// Makes the schedule run one round, because the clock was set, or to check that it does not hang.
    public func wake() { sender.wake() }

    /// The guard against many deletes within a short time.
    public func admission(at now: Int64) -> Submission.Admission {
        let settings = settings.withLock { $0 }
        let deletes = DeleteGuard(maxDeletes: settings.deletes, span: settings.within.wholeMilliseconds)
        return Submission.Admission(start: deletes.start(now: now)) { operation, recent in
            deletes.admit(operation, recent: recent)
        }
    }

    /// Records that a refresh of a collection got an answer: operations that failed before at its origin are due.
    public func refreshSucceeded(of collection: String) {
        guard let origin = store.catalog.current()[collection]?.definition.source.request.origin else { return }
        sender.refreshSucceeded(at: origin)
    }

    /// The health of the origins that are paused, or that failed again and again.
    public var troubledOrigins: [TroubledOrigin] { sender.troubledOrigins }

    /// The time before which an operation that waits is not sent, in milliseconds since 1970; nil if it is due, or is being
    /// sent.
    public func nextTry(of operation: Operation) -> Int64? { sender.nextTry(of: operation) }

    /// The progress of sending an operation's request; nil if none is under way.
    public func progress(of id: OperationID) -> SendingProgress? { sender.progress(of: id) }

    // MARK: - Decisions

    /// Performs a person's decision about operations, one after the other.
    public func decide(_ order: OutboxOrder, completion: @escaping OrderCompletion) {
        decisions.post { [self] in
            do throws(OutboxRefusal) {
                completion(.success(try decide(order)))
            } catch {
                completion(.failure(error))
            }
        }
    }

    private func decide(_ order: OutboxOrder) throws(OutboxRefusal) -> OutboxReply {
        var reply = OutboxReply()
        for id in order.operations {
            guard try isSeen(id, in: order), let change = try change(of: order, about: id) else {
                reply.missing.append(id)
                continue
            }
            if let operation = find(id), !maySend(operation, in: order) {
                reply.refused.append(OutboxReply.Refused(id, operation.state))
                continue
            }
            do throws(StoreError) {
                switch try sender.decide(change, about: id, by: order.caller) {
                case .changed(let operations): reply.changed += operations.map(\.id)
                case .refused(let refused): reply.refused.append(refused)
                case .missing:
                    if let settled = try store.operation(id) {
                        reply.refused.append(OutboxReply.Refused(id, settled.operation.state))
                    } else {
                        reply.missing.append(id)
                    }
                }
            } catch {
                throw .store(error)
            }
        }
        return reply
    }

    /// Whether the caller sees the collection of an operation. An unknown operation hides nothing.
    private func isSeen(_ id: OperationID, in order: OutboxOrder) throws(OutboxRefusal) -> Bool {
        var operation = find(id)
        if operation == nil {
            do throws(StoreError) { operation = try store.operation(id)?.operation } catch { throw .store(error) }
        }
        guard let operation, let definition = store.catalog.current()[operation.collection]?.definition else {
            return true
        }
        switch order.sight(definition) {
        case .all: return true
        case .none: return false
        case .limited:
            guard operation.submittedBy == order.caller.user else { return false }
            if order.decision == .correct || order.givenID != nil {
                throw .limited(collection: operation.collection)
            }
            return true
        }
    }

    /// Whether the rules in force let the caller have an operation sent: its action, on a record that the caller sees.
    private func maySend(_ operation: Operation, in order: OutboxOrder) -> Bool {
        switch order.decision {
        case .hold, .drop, .resolveDone: return true
        case .retry, .correct, .resolveMine, .resolveAgain: break
        }
        guard let definition = store.catalog.current()[operation.collection]?.definition else { return true }
        return order.isAllowed(operation.action, definition) && correction(order.sight).seesRecord(of: operation)
    }

    /// The change with the values that it needs; nil for an operation that is unknown, or whose collection is gone.
    private func change(of order: OutboxOrder, about id: OperationID) throws(OutboxRefusal) -> DecidedChange? {
        switch order.decision {
        case .retry, .hold, .drop, .resolveAgain: return DecidedChange(order.decision)
        case .resolveDone: return .resolveDone(id: order.givenID)
        case .correct:
            guard let operation = find(id) else { return nil }
            do throws(InvalidWrite) {
                let values = try correction(order.sight).values(
                    of: operation, correctedBy: order.fields, order.calendar)
                return .correct(values ?? operation.values)
            } catch {
                throw .invalid(error.problems)
            }
        case .resolveMine:
            guard let basis = find(id).flatMap(correction(order.sight).basis) else { return nil }
            return .resolveMine(over: basis.before, isInSnapshot: basis.isInSnapshot)
        }
    }

    private func correction(
        _ sight: @escaping RecordSight.Judge = { _ in .all }
    ) -> OperationCorrection {
        OperationCorrection(store.catalog.current(), by: sight)
    }

    private func find(_ id: OperationID) -> Operation? {
        store.catalog.current().unsettledOperations.first { $0.id == id }
    }

    // MARK: - Other rules

    /// Holds each operation that was not sent and that the rules in force do not allow. It does not wait for that.
    ///
    /// An operation that is not held here, because the store cannot write now, is checked again before it is sent.
    private func holdUnfitting() {
        decisions.post { [self] in
            let correction = correction()
            var messages: [OperationID: Message] = [:]
            for operation in store.catalog.current().unsettledOperations where operation.isUnsent {
                messages[operation.id] = correction.objection(to: operation)
            }
            guard !messages.isEmpty else { return }
            let found = messages
            do throws(StoreError) {
                _ = try operations.changeOperations { lookup in
                    found.compactMap { id, message in
                        guard let operation = lookup(id), operation.isUnsent else { return nil }
                        return operation.with(.held, reason: .definition, message: message)
                    }
                }
            } catch {
                report(.unrecorded(error))
            }
        }
    }
}

/// Holds deletes once there are many in a collection within a short time. Pure.
public struct DeleteGuard: Sendable, Equatable {
    /// The number of deletes that pass within the span.
    public var maxDeletes: Int
    /// The span in milliseconds.
    public var span: Int64

    public init(maxDeletes: Int, span: Int64) {
        self.maxDeletes = maxDeletes
        self.span = span
    }

    /// The time since which deletes count, in milliseconds since 1970.
    public func start(now: Int64) -> Int64 { now - span }

    /// An operation as it is committed first: a delete too many is held.
    ///
    /// - Parameter recent: the number of deletes of the collection that were submitted since ``start(now:)`` and that
    ///   this guard did not hold.
    public func admit(_ operation: Operation, recent: Int) -> Operation {
        guard operation.action == .delete, recent >= maxDeletes else { return operation }
        let message = Message(.writeGuarded, "\(maxDeletes)", "\(span / 1000)")
        return operation.with(.held, reason: .guard, message: message)
    }
}
