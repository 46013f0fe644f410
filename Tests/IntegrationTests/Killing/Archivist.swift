// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport
import Synchronization

/// Archives and unarchives some records of a collection that nobody else does, and knows what must be so.
final class Archivist: Sendable {
    private struct State {
        var archived: Set<String> = []
        /// A request that was not answered before the daemon was killed: done or not done, but not half.
        var open: (ids: Set<String>, isArchiving: Bool)?
        var answered = 0
    }

    let collection: ServedCollection
    private let ids: [String]
    private let findings: Findings
    private let state = Mutex(State())

    init(_ collection: ServedCollection, ids: [String], _ findings: Findings) {
        self.collection = collection
        self.ids = ids
        self.findings = findings
    }

    /// How many changes were acknowledged.
    var answered: Int { state.withLock { $0.answered } }

    /// Returns when the connection ends.
    func work(_ daemon: DaemonProcess, seed: UInt64) {
        daemon.takeSteps(seed: seed, step)
    }

    /// Compares what is served after a restart with what was acknowledged before.
    ///
    /// - Parameter served: the ids that are archived; nil where nothing is served yet.
    func check(_ served: Set<String>?) {
        guard let served else { return }
        let found = served.intersection(ids)
        let complaint = state.withLock { state -> String? in
            defer {
                state.archived = found
                state.open = nil
            }
            var allowed = [state.archived]
            if let open = state.open {
                allowed.append(open.isArchiving ? state.archived.union(open.ids) : state.archived.subtracting(open.ids))
            }
            return allowed.contains(found)
                ? nil : "archived are \(found.sorted()), and not \(allowed.map { $0.sorted() })"
        }
        if let complaint { findings.add("\(collection.name): \(complaint)") }
    }

    private func step(_ client: LineClient, _ chance: inout SeededGenerator) throws {
        var chosen: Set<String> = []
        for _ in 0..<Int.random(in: 1...3, using: &chance) {
            if let id = ids.randomElement(using: &chance) { chosen.insert(id) }
        }
        let isArchiving = Bool.random(using: &chance)
        state.withLock { $0.open = (chosen, isArchiving) }
        let list = chosen.map { "\"\($0)\"" }.joined(separator: ",")
        let before = collection.seen
        let answer = try client.request(
            isArchiving ? "archive" : "unarchive", #"{"collection":"\#(collection.name)","ids":[\#(list)]}"#)
        let done = ["changed", "unchanged"].flatMap { answer.at("result", $0)?.array ?? [] }.compactMap(\.string)
        guard Set(done) == chosen else {
            findings.add("\(collection.name): \(String(decoding: answer.compactBytes, as: UTF8.self))")
            return state.withLock { $0.open = nil }
        }
        collection.note(clock: answer.at("result", "clock"), after: before)
        state.withLock { state in
            state.archived = isArchiving ? state.archived.union(chosen) : state.archived.subtracting(chosen)
            state.open = nil
            state.answered += 1
        }
    }
}
