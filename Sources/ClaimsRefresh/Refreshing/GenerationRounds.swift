// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore

/// The answers that wait to become generations. One generation of a collection is made at a time, from all answers that
/// have come meanwhile. No thread waits for another: a thread that brings an answer while no generation is being made
/// also processes the answers that come later.
///
/// Each source has one refresh at a time, so a collection has at most as many waiting answers as sources.
final class GenerationRounds: Sendable {
    /// The outcome for one answer.
    enum Ending: Sendable {
        case ended(RefreshReport)
        /// The source is to be asked again: the collection has changed during the attempt.
        case outdated
        /// The pages are to be asked for once more: they lack records that are here.
        case incomplete
    }

    /// An answer, and the call that receives its end.
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

    /// The maximal number of answers in one generation.
    static let maxAnswers = 64

    /// The maximal time for which work waits for a generation. Even one of millions of records takes minutes.
    static let maxWait = Duration.seconds(3600)

    private let state = Monitor(State())
    private let maxWait: Duration

    init(maxWait: Duration = GenerationRounds.maxWait) {
        self.maxWait = maxWait
    }

    /// Submits an answer. It is processed now, or together with the answers that another thread is processing.
    ///
    /// - Parameter finish: called once, on any thread, while no other generation of the collection is being made.
    func submit(_ received: ReceivedAnswer, finish: @escaping @Sendable (Ending) -> Void) {
        let pending = Pending(received: received, finish: finish)
        let collection = pending.source.collection
        state.update(waking: .none) { $0.waiting[collection, default: []].append(pending) }
        run(collection)
    }

    /// Processes all waiting answers of a collection, unless a thread does so already, or too few sites were asked.
    func run(_ collection: String) {
        while let round = begin(collection) {
            for (pending, ending) in zip(round, GenerationRound.run(round.map(\.received))) { pending.finish(ending) }
            end(collection)
        }
    }

    /// Runs work while nothing is made of a collection, and waits for that.
    ///
    /// - Throws: `.late` if a generation is still being made after ``maxWait``; then the work has not begun.
    func withoutRounds<Result>(of collection: String, _ work: () -> Result) throws(StoreError) -> Result {
        let isFree = state.wait(upTo: maxWait, waking: .none) { state in
            state.busy.insert(collection).inserted ? true : nil
        }
        guard isFree == true else {
            throw StoreError(.late, "wait for a generation of \(collection)")
        }
        defer {
            end(collection)
            run(collection)
        }
        return work()
    }

    /// The next answers to process; nil if there are none, or if a generation of the collection is being made.
    private func begin(_ collection: String) -> [Pending]? {
        state.update(waking: .none) { state in
            guard let waiting = state.waiting[collection], Self.isReady(waiting), state.busy.insert(collection).inserted
            else { return nil }
            let view = waiting[0].received.attempt.inputs.view
            // Answers of upstreams and answers of other hosts have their records at different pointers in a page.
            let isShared = waiting[0].received.shared != nil
            let alike = waiting.prefix { ($0.received.shared != nil) == isShared }.count
            let count = min(alike, view?.isChangingOver == true ? waiting.count : Self.maxAnswers)
            let rest = Array(waiting.dropFirst(count))
            state.waiting[collection] = rest.isEmpty ? nil : rest
            return Array(waiting.prefix(count))
        }
    }

    /// Whether answers may be processed. If the records of an earlier source are served, the answers of the sites wait
    /// until each site was asked, so that they are served together.
    private static func isReady(_ waiting: [Pending]) -> Bool {
        guard let view = waiting.first?.received.attempt.inputs.view, view.isChangingOver else { return true }
        let answered = Set(waiting.map(\.source))
        return view.definition.sources.allSatisfy {
            answered.contains($0) || view.condition.source(of: $0).triedKey != 0
        }
    }

    /// The collections of which answers wait.
    var collections: [String] { state.read { Array($0.waiting.keys) } }

    /// Waits until a number of answers of a collection wait.
    ///
    /// - Returns: whether that is so in time.
    func awaitAnswers(_ count: Int, of collection: String, upTo timeout: Duration) -> Bool {
        state.wait(upTo: timeout) { $0.waiting[collection]?.count == count ? true : nil } == true
    }

    /// Forgets the answers that wait, without calling their ends.
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
