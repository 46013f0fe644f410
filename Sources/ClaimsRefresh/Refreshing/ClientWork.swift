// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore

/// The work for clients that is done on the thread of a collection, while no generation of it is being made. Safe on any
/// thread.
final class ClientWork: Sendable {
    private let context: RefreshContext
    private let threads: RefreshThreads
    private let rounds: GenerationRounds
    private let waiting = Monitor(WaitingClients())

    /// The error of work that is not begun any more.
    static let stopped = StoreError(.closed, "retry quarantined elements")

    init(_ context: RefreshContext, _ threads: RefreshThreads, _ rounds: GenerationRounds) {
        self.context = context
        self.threads = threads
        self.rounds = rounds
    }

    /// Performs work for a client on the thread of a collection, after a refresh that is under way.
    ///
    /// - Parameters:
    ///   - name: the description of the work, for an error.
    ///   - completion: called once, on any thread, with the result of the work; with an error if it is not begun: `.late`
    ///     if a generation takes longer than ``GenerationRounds/maxWait``.
    func perform<Outcome: Sendable>(
        _ name: String, on collection: String,
        _ completion: @escaping @Sendable (Result<Outcome, StoreError>) -> Void,
        _ work: @escaping @Sendable () throws(StoreError) -> Outcome
    ) {
        let number = waiting.update { $0.add { error in completion(.failure(error)) } }
        guard let number else { return completion(.failure(Self.stopped)) }
        let isPosted = threads.post(to: SourceID(collection)) { [self] in
            do throws(StoreError) {
                try rounds.withoutRounds(of: collection) {
                    guard waiting.update({ $0.remove(number) }) else { return }
                    completion(Result { () throws(StoreError) in try work() })
                }
                context.tidy(collection, hasUpdated: true)
            } catch {
                if waiting.update({ $0.remove(number) }) { completion(.failure(error)) }
            }
        }
        if !isPosted, waiting.update({ $0.remove(number) }) {
            let failure = StoreError(.io, name, detail: "no thread is to be had")
            completion(.failure(threads.isClosed ? Self.stopped : failure))
        }
    }

    /// Begins nothing more, and answers the clients that wait.
    func stop() {
        for refuse in waiting.update({ $0.stop() }) { refuse(Self.stopped) }
    }
}

/// The clients that wait for work on a collection which has not begun. Pure.
private struct WaitingClients {
    /// Answers a client that the work is not begun any more.
    typealias Refusal = @Sendable (StoreError) -> Void

    private var waiting: [UInt64: Refusal] = [:]
    private var lastNumber: UInt64 = 0
    private var isStopping = false

    /// Adds a client, and returns its number; nil if nothing is begun any more.
    mutating func add(_ refusal: @escaping Refusal) -> UInt64? {
        if isStopping { return nil }
        lastNumber += 1
        waiting[lastNumber] = refusal
        return lastNumber
    }

    /// Removes a client, because its work begins or has failed; false if it was refused before.
    mutating func remove(_ number: UInt64) -> Bool { waiting.removeValue(forKey: number) != nil }

    /// Begins nothing more.
    ///
    /// - Returns: the refusals of the clients that still wait.
    mutating func stop() -> [Refusal] {
        isStopping = true
        defer { waiting = [:] }
        return Array(waiting.values)
    }
}
