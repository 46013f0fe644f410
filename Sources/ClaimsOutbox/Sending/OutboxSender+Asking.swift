// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform
public import ClaimsStore

extension OutboxSender {
    /// Takes in what has been published. Only here the outbox learns of operations, so that it never falls behind.
    func look() {
        let now = services.clock.now()
        state.update { state in
            // Within the lock, so that of two looks the later one sees the newer operations.
            if state.adopt(services.store.unsettledOperations, now: now) { state.changes += 1 }
        }
    }

    /// Takes in that a refresh got an answer of that origin: what failed before is due.
    public func refreshSucceeded(at origin: String) {
        let now = services.clock.now()
        let event = state.update { state in
            state.changes += 1
            return state.queue.succeed(origin, now: now)
        }
        tell(event, of: origin)
    }

    /// Takes another configuration into use: each origin that is paused is probed at once.
    public func configure(warn: Int64) {
        let now = services.clock.now()
        state.update {
            $0.warning.span = warn
            $0.queue.probe(now: now)
            $0.changes += 1
        }
    }

    /// The health of the origins that are paused, or that failed again and again.
    public var troubledOrigins: [TroubledOrigin] {
        let now = services.clock.now()
        return state.read { state in
            state.queue.origins.compactMap { name, origin in
                origin.trouble.map {
                    TroubledOrigin(
                        origin: name, since: $0.since, reason: origin.pause?.reason, nextTry: max($0.nextProbe, now))
                }
            }.sorted { $0.origin < $1.origin }
        }
    }

    /// The time before which an operation that waits is not sent, in milliseconds since 1970; nil where it is due, or is
    /// being sent.
    public func nextTry(of operation: Operation) -> Int64? {
        let origin = services.maker.origin(of: operation)
        let now = services.clock.now()
        return state.read { $0.queue.nextTry(of: operation, at: origin, now: now) }
    }

    /// How much of an operation's request has been sent; nil where none is under way.
    public func progress(of id: OperationID) -> SendingProgress? {
        state.read { state in
            guard let progress = state.progress[id] else { return nil }
            var file: Int?
            if case .file(let index) = progress.step { file = index }
            return SendingProgress(
                operation: id, sent: progress.sent, size: progress.size, file: file,
                files: state.queue.lanes[id]?.values.files.count ?? 0)
        }
    }

    /// The outcome of a person's decision about an operation.
    public enum DecisionOutcome: Sendable, Equatable {
        /// The operations that changed, as they are now.
        case changed([Operation])
        /// It does not allow it, or not to this caller.
        case refused(OutboxReply.Refused)
        /// There is no such unsettled operation.
        case missing
    }

    /// Carries a person's decision about an operation out, in one transaction.
    ///
    /// - Throws: an error of the store; then nothing has changed.
    public func decide(
        _ change: DecidedChange, about id: OperationID, by caller: OutboxCaller
    ) throws(StoreError) -> DecisionOutcome {
        let isRetry = change.decision == .retry || change.decision == .correct
        let lanes = state.read { $0.queue.lanes }
        let now = services.clock.now()
        let related = lanes.operations.map(\.id)
        let found = Monitor<DecisionOutcome>(.missing)
        let changed = try services.store.changeOperations { lookup in
            guard let operation = lookup(id) else { return [] }
            var current = Lanes()
            // Only a create that is given up concerns others.
            if change.decision == .drop, operation.action == .create {
                current.replace(related.compactMap { lookup($0) })
            }
            guard caller.mayChange(operation) else {
                found.update { $0 = .refused(OutboxReply.Refused(id, operation.state)) }
                return []
            }
            guard let changed = change.apply(to: operation, by: caller, among: current, now: now) else {
                let resolutions = isRetry ? DecisionFacts(operation).resolutions : []
                found.update { $0 = .refused(OutboxReply.Refused(id, operation.state, resolutions: resolutions)) }
                return []
            }
            return changed
        }
        guard !changed.isEmpty else { return found.read { $0 } }
        state.update { state in
            // A person who asks for it may probe an origin in trouble.
            if isRetry, let origin = changed.first.flatMap({ services.maker.origin(of: $0) }) {
                state.queue.probe([origin], now: now)
            }
            state.changes += 1
        }
        return .changed(changed)
    }
}

/// An origin that is paused, or that failed again and again.
public struct TroubledOrigin: Sendable, Equatable {
    public var origin: String
    /// Milliseconds since 1970.
    public var since: Int64
    /// The reason of a pause; nil after failures.
    public var reason: Message?
    /// The time of the next probe, in milliseconds since 1970; the present while one is due.
    public var nextTry: Int64
}

/// How much of a request has been sent.
public struct SendingProgress: Sendable, Equatable {
    public var operation: OperationID
    /// In bytes of the body.
    public var sent: Int
    public var size: Int
    /// The index of the file that is sent; nil for the record's own request.
    public var file: Int?
    /// The number of files of the operation.
    public var files: Int
}
