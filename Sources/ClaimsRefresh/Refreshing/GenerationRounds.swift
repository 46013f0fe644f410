// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore

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
        /// The pages are to be asked for once more: they lack records that are here.
        case incomplete
    }

    /// An answer, and the call that takes its end.
    struct Pending: Sendable {
        let received: ReceivedAnswer
        let finish: @Sendable (Ending) -> Void

        var source: SourceID { received.attempt.source }
    }

    struct State {
        /// The collections whose rows or files are being written.
        var busy: Set<String> = []
        /// The answers by their collections, in the order in which they came.
        var waiting: [String: [Pending]] = [:]
    }

    /// The number of answers that one generation takes in.
    static let maxAnswers = 64

    let state = Monitor(State())

    /// Takes an answer in, now or with those that another thread is taking in.
    ///
    /// - Parameter finish: called once, on any thread, while nothing else is made of the collection.
    func submit(_ received: ReceivedAnswer, finish: @escaping @Sendable (Ending) -> Void) {
        let pending = Pending(received: received, finish: finish)
        let collection = pending.source.collection
        state.update(waking: .none) { $0.waiting[collection, default: []].append(pending) }
        run(collection)
    }

    /// Takes in all that waits of a collection, unless a thread does so already, or too few sites were asked.
    func run(_ collection: String) {
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
            guard let waiting = state.waiting[collection], Self.isReady(waiting), state.busy.insert(collection).inserted
            else { return nil }
            let view = waiting[0].received.attempt.inputs.view
            let count = view?.isChangingOver == true ? waiting.count : Self.maxAnswers
            let rest = Array(waiting.dropFirst(count))
            state.waiting[collection] = rest.isEmpty ? nil : rest
            return Array(waiting.prefix(count))
        }
    }

    /// Whether answers may be taken in. While the records of an earlier source are served, those of the sites wait until
    /// each site was asked, so that they come together.
    private static func isReady(_ waiting: [Pending]) -> Bool {
        guard let view = waiting.first?.received.attempt.inputs.view, view.isChangingOver else { return true }
        let answered = Set(waiting.map(\.source))
        return view.definition.sources.allSatisfy {
            answered.contains($0) || view.condition.source(of: $0).triedKey != 0
        }
    }

    /// The collections of which answers wait.
    var collections: [String] { state.read { Array($0.waiting.keys) } }

    /// Forgets the answers that wait, without a call of those who brought them.
    func drop() {
        let dropped = state.update { state in
            defer { state.waiting = [:] }
            return state.waiting
        }
        _ = dropped  // released without the lock
    }

    private func end(_ collection: String) {
        state.update { _ = $0.busy.remove(collection) }
    }
}
