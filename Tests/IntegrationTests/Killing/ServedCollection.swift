// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Synchronization

/// A collection whose upstream publishes one edition after the other, and what was seen of it so far. What is served
/// must be one of the editions, and nothing that was seen may be taken back.
final class ServedCollection: Sendable {
    private struct State {
        var editions: [Edition] = []
        var seen = Sight()
    }

    /// The numbers that never go back.
    struct Sight {
        var edition = 0
        var generation: Int64 = 0
        var asOf = ""
        var epoch = ""
        var seq: Int64 = 0
    }

    let name: String
    private let upstream: UpstreamProcess
    private let findings: Findings
    private let state = Mutex(State())

    init(_ name: String, _ upstream: UpstreamProcess, _ findings: Findings) throws {
        self.name = name
        self.upstream = upstream
        self.findings = findings
        try publish(.whole)
    }

    var file: String { "\(name).json" }

    var editions: Int { state.withLock { $0.editions.count } }

    /// The newest state seen so far: no later request may be answered with an older one.
    var seen: Sight { state.withLock { $0.seen } }

    /// Puts the next edition in place of the last one.
    func publish(_ kind: Edition.Kind) throws {
        let edition = state.withLock { state in
            let edition = Edition(number: state.editions.count, kind: kind)
            state.editions.append(edition)
            return edition
        }
        try upstream.folder.write(file, edition.body)
    }

    /// Looks at all that is served, and at what is said about it.
    ///
    /// - Returns: which of the records are archived; nil where nothing is served, which is wrong.
    func look(_ client: LineClient) throws -> Set<String>? {
        let before = seen
        let answer = try client.request(
            "search", #"{"collection":"\#(name)","limit":1000,"archived":"include","fields":["id","title"]}"#)
        guard let result = answer["result"], let records = result["records"]?.array else {
            complain(String(decoding: answer.compactBytes, as: UTF8.self))
            return nil
        }
        var titles: [String: String] = [:]
        var archived: Set<String> = []
        for record in records {
            guard let id = record["id"]?.string else { continue }
            titles[id] = record["title"]?.string ?? ""
            if record["archived"]?.boolean == true { archived.insert(id) }
        }
        if let complaint = judge(titles, of: records.count, after: before) { complain(complaint) }
        if let meta = result["meta"] { note(meta, after: before) }
        return archived
    }

    /// Notes what an answer says of the collection; nothing in it may be older than what was seen before the question.
    func note(_ meta: JSONValue, after before: Sight) {
        let generation = meta["generation"]?.integer ?? -1
        let asOf = meta["as_of"]?.string ?? ""
        state.withLock { state in
            state.seen.generation = max(state.seen.generation, generation)
            state.seen.asOf = max(state.seen.asOf, asOf)
        }
        if generation < before.generation { complain("generation \(generation) after \(before.generation)") }
        if asOf < before.asOf { complain("as of \(asOf) after \(before.asOf)") }
        note(clock: meta["clock"], after: before)
    }

    /// Notes the clock of an answer.
    func note(clock: JSONValue?, after before: Sight) {
        let parts = (clock?.string ?? "").split(separator: ".").map(String.init)
        guard parts.count == 2, let seq = Int64(parts[1]) else { return complain("there is no clock") }
        state.withLock { state in
            state.seen.epoch = parts[0]
            state.seen.seq = max(state.seen.seq, seq)
        }
        if seq < before.seq { complain("clock \(seq) after \(before.seq)") }
        if parts[0] != before.epoch, before.epoch != "" { complain("epoch \(parts[0]) after \(before.epoch)") }
    }

    private func complain(_ text: String) { findings.add("\(name): \(text)") }

    /// The mistake in these records; nil: none.
    private func judge(_ titles: [String: String], of count: Int, after before: Sight) -> String? {
        guard titles.count == count else { return "records with one id" }
        guard let number = Edition.number(in: titles) else { return "no edition: \(titles.count) records" }
        return state.withLock { state in
            guard state.editions.indices.contains(number) else { return "edition \(number) was never published" }
            let edition = state.editions[number]
            guard edition.kind == .whole || edition.kind == .small else {
                return "edition \(number), \(edition.kind), is served"
            }
            guard number >= before.edition else { return "edition \(number) after \(before.edition)" }
            state.seen.edition = max(state.seen.edition, number)
            return edition.titles == titles ? nil : "a mixture: \(titles.count) records as of edition \(number)"
        }
    }
}
