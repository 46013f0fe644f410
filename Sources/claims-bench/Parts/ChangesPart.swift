// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// Measures `changes` after a refresh that has changed one record in a hundred: from the clock before it to the clock
/// after it, page by page, one page after the other.
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
        var starts: [String] = []
        for feed in Self.feeds { starts.append(try page(feed, #""since":"now""#).clock ?? "") }
        try stage.daemon.control.feed(other)
        try stage.daemon.control.refresh()
        BenchConsole.note("changes")
        for _ in 0..<(stage.rounds * 4) {
            for (feed, clock) in zip(Self.feeds, starts) {
                let start = ContinuousClock.now
                let count = try follow(feed, since: clock)
                let duration = ContinuousClock.now - start
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
    /// - Returns: the number of entries.
    private func follow(_ feed: Feed, since: String) throws -> Int {
        var count = 0
        var point = #""since":"\#(since)""#
        while true {
            let page = try page(feed, point)
            count += page.count
            guard let next = page.next else { return count }
            point = #""cursor":"\#(next)""#
        }
    }

    private func page(_ feed: Feed, _ point: String) throws -> (count: Int, next: String?, clock: String?) {
        let request = """
            {"id":1,"method":"changes","params":{"collection":"\(CollectionShape.collection)",\(point)\(feed.parameters)}}

            """
        let answer = try Load.ask(stage.daemon.socket, Array(request.utf8))
        var tape = JSONTape()
        _ = try tape.parse(answer.rawSpan, depth: 64)
        guard let result = tape.member("result", of: 0, in: answer.rawSpan),
            let changes = tape.member("changes", of: result, in: answer.rawSpan)
        else { throw BenchError("changes answered \(String(decoding: answer.prefix(600), as: UTF8.self))") }
        func text(_ name: StaticString) -> String? {
            tape.member(name, of: result, in: answer.rawSpan).flatMap { tape.string($0, in: answer.rawSpan) }
        }
        var count = 0
        var node = changes + 1
        while node < tape[changes].next {
            count += 1
            node = tape[node].next
        }
        return (count, text("next"), text("clock"))
    }
}
