// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsStore
import ClaimsTestSupport

@testable import ClaimsRefresh

/// An upstream whose records change while it is walked, under a clock that is wrong for a time, and a source that asks
/// it by positions, both without network and files. Times are in milliseconds.
struct PositionModel {
    /// A time in which the upstream's clock is wrong.
    struct Fault {
        var times: Range<Int64>
        /// The lead of the clock; negative if the clock is behind.
        var offset: Int64
    }

    /// A change of a record.
    struct Change {
        var at: Int64
        var id: Int
        /// By the upstream's clock.
        var stamp: Int64
    }

    /// A refresh, as far as it is judged.
    struct Walk {
        var began: Int64
        var isFull: Bool
        /// Whether the source had a position before; it has none after a full answer with no stamp but later ones than
        /// the upstream's clock.
        var hadPosition: Bool
        /// The number of changes before it.
        var changes: Int
        /// The number of changes that the source had afterwards, of each record.
        var served: [Int]
    }

    static let records = 12
    static let pages = 4
    static let start: Int64 = 1_800_000_000_000

    let plan: IncrementalPlan
    /// false: as if nothing bounded positions.
    let isBounded: Bool
    private let requests: SourceRequests
    private let faults: [Fault]
    private(set) var now = Self.start
    private var row = SourceRow()
    private(set) var changes: [Change] = []
    /// The last change of each record upstream, and here: indexes of ``changes``.
    private var current: [Int] = []
    private var served: [Int] = []
    private(set) var walks: [Walk] = []

    init(overlap: Duration, faults: [Fault], isBounded: Bool = true) throws {
        var source = Source(ReadRequest(url: "https://things.example/"))
        source.since = IncrementalRules(to: .query("since"), position: .field(1, overlap: .span(overlap)))
        let definition = Definition(
            name: "things", source: source,
            fields: [
                Field(name: "id", type: .id, from: [try JSONPointer("/id")]),
                Field(name: "stamp", type: .instant, from: [try JSONPointer("/stamp")]),
            ])
        guard let plan = IncrementalPlan(definition, share: 0),
            let requests = SourceRequests(definition, limits: TransferLimits())
        else { throw TestFailure("there is no plan") }
        (self.plan, self.requests, self.faults, self.isBounded) = (plan, requests, faults, isBounded)
        for id in 0..<Self.records {
            current.append(changes.count)
            changes.append(Change(at: now - 7_200_000, id: id, stamp: now - 7_200_000))
        }
        served = current.map { _ in -1 }
    }

    private var upstreamTime: Int64 { now + (faults.first { $0.times.contains(now) }?.offset ?? 0) }

    /// Lets time pass, in which records change.
    mutating func pass(_ time: Int64, changes count: Int, _ generator: inout SeededGenerator) {
        let end = now + time
        for moment in (0..<count).map({ _ in Int64.random(in: now...end, using: &generator) }).sorted() {
            now = moment
            let id = Int.random(in: 0..<Self.records, using: &generator)
            current[id] = changes.count
            changes.append(Change(at: now, id: id, stamp: upstreamTime))
        }
        now = end
    }

    /// Refreshes once; a page takes `pace`.
    mutating func refresh(pace: Int64, _ generator: inout SeededGenerator) {
        let request = plan.request(row, key: requests.records.key, RefreshOptions(), .init(now: now))
        let walk = walk(request, pace: pace, &generator)
        if case .changes = request, isBounded, plan.recallsAll(row, at: walk.clock, now: now) {
            take(self.walk(.all, pace: pace, &generator), .all, isRecall: true)
        } else {
            take(walk, request, isRecall: false)
        }
    }

    /// An answer: the last changes of records, and the largest stamp that is no drift.
    private struct Answer {
        var began: Int64
        var changesBefore: Int
        var clock: UpstreamClock
        var found: [Int] = []
        var largest: Int64?
    }

    private mutating func walk(
        _ request: IncrementalPlan.Request, pace: Int64, _ generator: inout SeededGenerator
    ) -> Answer {
        var since = Int64.min
        if case .changes(let value) = request { since = value.string.flatMap { Instant.parse($0) }?.ms ?? .min }
        var answer = Answer(began: now, changesBefore: changes.count, clock: UpstreamClock(time: upstreamTime))
        var dates: [Int64?] = []
        for page in 0..<Self.pages {
            // `Date` has whole seconds.
            let date = upstreamTime / 1000 * 1000
            dates.append(date)
            let limit = date + IncrementalRules.maxLead.components.seconds * 1000
            for id in 0..<Self.records where id % Self.pages == page && changes[current[id]].stamp >= since {
                answer.found.append(current[id])
                let stamp = changes[current[id]].stamp
                if stamp <= limit { answer.largest = max(answer.largest ?? .min, stamp) }
            }
            pass(pace, changes: Int.random(in: 0...2, using: &generator), &generator)
        }
        answer.clock = UpstreamClock(dates, began: answer.began, lasting: now - answer.began)
        return answer
    }

    private mutating func take(_ answer: Answer, _ request: IncrementalPlan.Request, isRecall: Bool) {
        let update = SourceUpdate(
            known: row, requests: requests, schedule: RefreshSchedule(interval: .seconds(60), offset: 0), now: now,
            random: 0)
        var good = SourceUpdate.Answer(bodyHash: nil)
        (good.asOf, good.request, good.isRecall) = (answer.began, request, isRecall)
        if case .changes = request, isBounded { good.owesAll = plan.owesAll(row, at: answer.clock, now: now) }
        var next = update.succeeded(good)
        next.position = plan.position(
            after: answer.largest.map { "\"\(Instant(ms: $0).text)\"" }, known: request == .all ? nil : row.position,
            key: requests.records.key, clock: isBounded ? answer.clock : UpstreamClock(time: .max / 2))
        let hadPosition = row.position != nil
        row = next
        if request == .all { served = served.map { _ in -1 } }
        for change in answer.found { served[changes[change].id] = change }
        walks.append(
            Walk(
                began: answer.began, isFull: request == .all, hadPosition: hadPosition, changes: answer.changesBefore,
                served: served))
    }

    /// The walks after which a change is still unknown that was there before the walk `patience` walks earlier began.
    func missing(patience: Int) -> [Int] {
        walks.indices.filter { index in
            guard index >= patience else { return false }
            var known = [Int](repeating: -1, count: Self.records)
            for (number, change) in changes.prefix(walks[index - patience].changes).enumerated() {
                known[change.id] = number
            }
            return zip(known, walks[index].served).contains { $0 > $1 }
        }
    }
}
