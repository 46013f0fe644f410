// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

/// The answers that wait to be taken in. A collection has one generation made at a time, of all answers that have come
/// meanwhile. No thread waits for another: the one that brings an answer while nothing is made takes in all that come.
///
/// Each source has one refresh at a time, so a collection has at most as many waiting answers as sources.
final class GenerationRounds: Sendable {
    /// How the way of one answer ended.
    enum Ending: Sendable {
        case ended(RefreshReport)
        /// The source is to be asked again: the collection has changed under the attempt.
        case outdated
    }

    /// An answer, and the call that takes its end.
    struct Pending: Sendable {
        let received: ReceivedAnswer
        let finish: @Sendable (Ending) -> Void

        var source: SourceID { received.attempt.source }
    }

    private struct State {
        /// The collections whose rows or files are being written.
        var busy: Set<String> = []
        /// The answers by their collections, in the order in which they came.
        var waiting: [String: [Pending]] = [:]
    }

    /// The number of answers that one generation takes in.
    static let maxAnswers = 64

    private let state = Monitor(State())

    /// Takes an answer in, now or with those that another thread is taking in.
    ///
    /// - Parameter finish: called once, on any thread, while nothing else is made of the collection.
    func submit(_ received: ReceivedAnswer, finish: @escaping @Sendable (Ending) -> Void) {
        let pending = Pending(received: received, finish: finish)
        let collection = pending.source.collection
        state.update(waking: .none) { $0.waiting[collection, default: []].append(pending) }
        run(collection)
    }

    /// Takes in all that waits of a collection, unless a thread does so already.
    private func run(_ collection: String) {
        while let round = begin(collection) {
            for (pending, ending) in zip(round, GenerationRound.run(round.map(\.received))) { pending.finish(ending) }
            end(collection)
        }
    }

    /// Runs work while nothing is made of a collection, and waits for that.
    func withoutRounds<Result>(of collection: String, _ work: () -> Result) -> Result {
        _ = state.wait(waking: .none) { state in state.busy.insert(collection).inserted ? true : nil }
        defer {
            end(collection)
            run(collection)
        }
        return work()
    }

    /// The next answers to take in; nil where there are none, or something is made of the collection.
    private func begin(_ collection: String) -> [Pending]? {
        state.update(waking: .none) { state in
            guard let waiting = state.waiting[collection], !waiting.isEmpty, state.busy.insert(collection).inserted
            else { return nil }
            let rest = Array(waiting.dropFirst(Self.maxAnswers))
            state.waiting[collection] = rest.isEmpty ? nil : rest
            return Array(waiting.prefix(Self.maxAnswers))
        }
    }

    private func end(_ collection: String) {
        state.update { _ = $0.busy.remove(collection) }
    }
}
