// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// Measures `changes` after a refresh that has changed one record in a hundred: from the clock before it to the clock
/// after it, page by page, one page after the other. The time is that from the requests to the ends of their answers;
/// reading these is the client's.
struct ChangesPart {
    private let stage: Stage

    init(_ stage: Stage) {
        self.stage = stage
    }

    private struct Feed {
        let name: String
        let parameters: String
        let matchesAll: Bool
    }

    private static let feeds = [
        Feed(name: "all fields", parameters: "", matchesAll: true),
        Feed(
            name: "a filter that matches all", parameters: #","filter":"heading.any or heading.none""#,
            matchesAll: true),
        Feed(
            name: "a filter that matches none", parameters: #","filter":"heading=there-is-none""#, matchesAll: false),
    ]

    func run() throws {
        let base = try stage.bench.files.path(stage.shape, .array)
        var changed = stage.shape
        changed.changedOneIn = 100
        let other = try stage.bench.files.path(changed, .array)
        try stage.daemon.control.feed(base)
        try stage.daemon.control.refresh()
        var reader = PageReader(socket: stage.daemon.socket)
        var starts: [String] = []
        for feed in Self.feeds { starts.append(try reader.page(feed, #""since":"now""#).clock ?? "") }
        try stage.daemon.control.feed(other)
        try stage.daemon.control.refresh()
        BenchConsole.note("changes")
        for _ in 0..<(stage.rounds * 4) {
            for (feed, clock) in zip(Self.feeds, starts) {
                let (count, duration) = try Self.follow(feed, since: clock, &reader)
                stage.bench.results.add("changes, \(feed.name)", of: Results.claimsd, on: stage.shape, duration)
                // Chance decides which records change.
                let expected = feed.matchesAll ? stage.shape.records / 100 : 0
                if abs(count - expected) > expected / 10 {
                    stage.bench.results.addWrong("changes, \(feed.name): \(count) entries")
                }
            }
        }
        try stage.daemon.control.feed(base)
        try stage.daemon.control.refresh()
    }

    /// Reads all pages.
    ///
    /// - Returns: the number of entries, and the time until the last one was there.
    private static func follow(
        _ feed: Feed, since: String, _ reader: inout PageReader
    ) throws -> (count: Int, duration: Duration) {
        var (count, duration) = (0, Duration.zero)
        var point = #""since":"\#(since)""#
        while true {
            let page = try reader.page(feed, point)
            count += page.count
            duration += page.duration
            guard let next = page.next else { return (count, duration) }
            point = #""cursor":"\#(next)""#
        }
    }

    /// One page as the client has read it.
    private struct Page {
        let count: Int
        let next: String?
        let clock: String?
        /// The time from the request to the end of the answer.
        let duration: Duration
    }

    /// Asks for pages. Its memory is reused, so that the pages are measured and not the client.
    private struct PageReader {
        let socket: String
        private var answer = [UInt8](repeating: 0, count: Load.maxAnswer)
        private var tape = JSONTape()

        init(socket: String) {
            self.socket = socket
        }

        mutating func page(_ feed: Feed, _ point: String) throws -> Page {
            let collection = #""collection":"\#(CollectionShape.collection)""#
            let request = #"{"id":1,"method":"changes","params":{\#(collection),\#(point)\#(feed.parameters)}}"# + "\n"
            let start = ContinuousClock.now
            let length = try Load.ask(socket, Array(request.utf8), into: &answer)
            let duration = ContinuousClock.now - start
            let bytes = answer
            let text = bytes.rawSpan.extracting(0..<length)
            _ = try tape.parse(text, depth: 64)
            guard let result = tape.member("result", of: 0, in: text),
                let changes = tape.member("changes", of: result, in: text)
            else { throw BenchError("changes answered \(String(decoding: bytes[..<min(length, 600)], as: UTF8.self))") }
            var count = 0
            var node = changes + 1
            while node < tape[changes].next {
                count += 1
                node = tape[node].next
            }
            let next = tape.member("next", of: result, in: text).flatMap { tape.string($0, in: text) }
            let clock = tape.member("clock", of: result, in: text).flatMap { tape.string($0, in: text) }
            return Page(count: count, next: next, clock: clock, duration: duration)
        }
    }
}
