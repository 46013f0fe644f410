// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

/// Feeds that go through many changes by queries are told what a look at each change tells.
@Suite struct FeedSurveyPropertyTests {
    private static func parameters(
        _ filter: String?, archived: ArchivedMode = .exclude, fields: [String]? = nil, zone: String? = nil
    ) -> FeedParameters {
        var parameters = FeedParameters()
        parameters.filter = filter.map { ClaimsProtocol.FilterValue($0) }
        parameters.archived = archived
        parameters.fields = fields.map { NameList($0) }
        parameters.timeZone = zone
        return parameters
    }

    private static let shelfFeeds = [
        parameters("state=open"), parameters("pump or level>=3", fields: ["id", "state", "title"]),
        parameters("not state=open,shut", archived: .include), parameters("level>=4", archived: .only),
        parameters("at<now", fields: ["id", "at", "level"]), parameters("at>-1d at<+2d", archived: .include),
        parameters("day=today or day>+2d", zone: "Europe/Warsaw"), parameters("state.raw=what or title~water"),
        parameters("price>=1 flag=true"), parameters("level>90"), parameters(nil),
    ]
    private static let noteFeeds = [parameters("title~pump or at<now"), parameters("water", archived: .include)]

    /// A reader of one feed.
    private struct Reader {
        let parameters: FeedParameters
        let collection: String
        var position = FeedPosition.set(at: 0, time: 0)
        var held: [String: String] = [:]

        mutating func apply(_ entries: [JSONValue]) throws {
            for entry in entries {
                let id = try #require(entry["id"]?.string)
                held[id] = entry["op"]?.string == "removed" ? nil : entry["record"]?.text
            }
        }
    }

    /// The readers, and both ways to tell them.
    private struct Model {
        var random: SeededGenerator
        let fixture: FeedFixture
        var bodies: [String: [Int: String]] = ["shelf": [:], "notes": [:]]
        var readers: [Reader]
        let bounds: SurveyBounds
        var origins: [String: FeedOrigins] = [:]
        var engines: [String: FeedEngine] = [:]
        /// The records that lie over the snapshot of the shelf, by their numbers, which no body has.
        var written: [Int: OverlayEntry] = [:]
        /// How many ways went over a survey.
        var surveyed = 0

        init(seed: UInt64) throws {
            random = SeededGenerator(seed: seed &* 6271)
            fixture = try FeedFixture()
            readers =
                FeedSurveyPropertyTests.shelfFeeds.map { Reader(parameters: $0, collection: "shelf") }
                + FeedSurveyPropertyTests.noteFeeds.map { Reader(parameters: $0, collection: "notes") }
            bounds =
                [
                    SurveyBounds(minChanges: 1, maxStep: 3, blockLength: 2, maxCandidates: 2),
                    SurveyBounds(minChanges: 2, maxStep: 100, blockLength: 7, maxCandidates: 5),
                    SurveyBounds(minChanges: 4),
                ].randomElement(using: &random) ?? SurveyBounds()
        }

        var catalog: Catalog { fixture.store.catalog.current() }

        mutating func change(_ name: String) throws {
            var body = bodies[name] ?? [:]
            FeedObjects.change(&body, of: name, &random)
            bodies[name] = body
            try fixture.take(body.values.shuffled(using: &random), into: name)
            if name == "shelf", !written.isEmpty { try fixture.layOver(entries) }
        }

        private var entries: [OverlayEntry] { written.keys.sorted().compactMap { written[$0] } }

        /// Writes some records, or gives them up, of those that no body has.
        mutating func write() throws {
            let settled = written.keys.sorted().filter { _ in random.oneIn(3) }
            for id in settled { written[id] = nil }
            for id in 25..<29 where random.oneIn(3) && !settled.contains(id) {
                written[id] = FeedFixture.entry("\(id)", FeedObjects.shelf(id, &random))
            }
            try fixture.write(entries, settling: settled.map { "\($0)" })
        }

        /// Does one thing that may change a set.
        mutating func act() throws {
            switch Int.random(in: 0..<12, using: &random) {
            case 0...3: try change("shelf")
            case 4: try change("notes")
            case 5:
                let ids = (0..<3).map { _ in "\(Int.random(in: 0..<25, using: &random))" }
                try fixture.archive(Array(Set(ids)), !random.oneIn(2))
            case 6: fixture.clock.with { [step = Int64.random(in: -30...60, using: &random)] in $0 += step * 3_600_000 }
            case 7 where random.oneIn(3): try fixture.trim("shelf", changes: Int.random(in: 0..<60, using: &random))
            case 8 where random.oneIn(3):
                try fixture.restart()
                if !written.isEmpty { try fixture.layOver(entries) }
                origins = [:]
                engines = [:]
            case 10, 11: try write()
            case 9 where random.oneIn(3):
                fixture.reload([Shelf.definition, FeedFixture.notes(isTextual: random.oneIn(2))])
            default: break
            }
            // The hub may miss some commits, and keeps one view that is replaced.
            if random.oneIn(3) { return }
            let seq = catalog.revision.seq
            for view in catalog.views {
                let name = view.definition.name
                let isKept = random.oneIn(2)
                if var known = origins[name] {
                    _ = known.accept(view, at: seq) { _ in isKept }
                    if random.oneIn(6) { known.settle() }
                    origins[name] = known
                } else {
                    origins[name] = FeedOrigins(view, at: seq, bounds)
                }
            }
        }

        /// Moves a reader by one piece.
        ///
        /// - Returns: the entries.
        func advance(
            _ reader: Reader, _ engine: FeedEngine, _ origin: FeedOrigin?, entries: Int = 100_000
        ) throws -> (piece: FeedPiece, entries: [JSONValue]) {
            let view = try #require(catalog[reader.collection])
            let feed = try Feed(
                FeedRequest(reader.parameters, fixture.context.queries), of: view.definition, within: nil)
            let call = FeedCall(
                feed: feed, view: view, revision: catalog.revision,
                bounds: FeedBounds(entries: entries, bytes: 1 << 20), budget: .unlimited, origin: origin)
            var writer = JSONWriter()
            writer.beginArray()
            let piece = try engine.advance(reader.position, call, now: fixture.clock.with { $0 }, to: &writer)
            writer.endArray()
            return (piece, try #require(try JSONValue.parse(writer.bytes).array))
        }

        /// The entries that a reader is told until it rests.
        func run(_ reader: Reader, _ engine: FeedEngine, _ origin: FeedOrigin?) throws -> (Reader, told: [String]) {
            var reader = reader
            var told: [String] = []
            repeat {
                let (piece, entries) = try advance(reader, engine, origin)
                reader.position = piece.position
                if let reason = piece.fresh {
                    reader.held = [:]
                    told = [reason.rawValue]
                } else {
                    try reader.apply(entries)
                    told += entries.map(\.text)
                }
            } while !reader.position.isAtRest
            return (reader, told)
        }

        mutating func move(_ index: Int) throws {
            let name = readers[index].collection
            let log = FeedLog(try fixture.context.queries.changeLog())
            let engine = engines[name] ?? FeedEngine(log, scratch: QueryScratch())
            engines[name] = engine
            let origin = origins[name]?.origin
            let plain = FeedEngine(log, scratch: QueryScratch(), isForMany: false)
            let expected = try run(readers[index], plain, nil)
            let isExact = readers[index].position.isAtRest
            if isExact, random.oneIn(2) {
                let (moved, told) = try run(readers[index], engine, origin)
                #expect(told == expected.told)
                #expect(moved.position == expected.0.position)
                readers[index] = moved
                if let origin, try isSurveyed(origin, log, name) { surveyed += 1 }
            } else {
                // Piece by piece, so that commits come in between.
                let (piece, entries) = try advance(
                    readers[index], engine, origin, entries: Int.random(in: 1...7, using: &random))
                readers[index].position = piece.position
                if piece.fresh != nil { readers[index].held = [:] } else { try readers[index].apply(entries) }
            }
            if readers[index].position.isAtRest { try expectSet(of: readers[index], plain) }
        }

        private func isSurveyed(_ origin: FeedOrigin, _ log: FeedLog, _ name: String) throws -> Bool {
            if case .survey = try origin.survey(to: try #require(catalog[name]), log) { return true }
            return false
        }

        private func expectSet(of reader: Reader, _ engine: FeedEngine) throws {
            var other = reader
            other.held = [:]
            other.position = .set(at: reader.position.since, time: reader.position.time)
            // Time must not move on while the set is read.
            let now = fixture.clock.with { $0 }
            if reader.position.time != 0 { fixture.clock.with { $0 = reader.position.time } }
            let (set, _) = try run(other, engine, nil)
            fixture.clock.with { $0 = now }
            #expect(reader.held == set.held, "\(reader.parameters)")
        }
    }

    @Test(arguments: 0..<16)
    func `a survey tells a feed what a look at each change tells`(seed: UInt64) throws {
        var model = try Model(seed: seed)
        try model.change("shelf")
        for _ in 0..<70 {
            try model.act()
            for index in model.readers.indices where model.random.oneIn(3) { try model.move(index) }
        }
        #expect(model.surveyed > 0)
    }
}

extension JSONValue {
    fileprivate var text: String {
        var writer = JSONWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
