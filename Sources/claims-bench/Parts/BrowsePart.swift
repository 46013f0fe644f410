// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform

/// Measures `claimsctl browse` on a terminal of 80 columns and 24 rows, while 200 records a second change: the time from
/// a key to the last byte of the frame that shows what it does, and to the rows of a search or a filter; the bytes of a
/// frame, without changes; the time from exec to the first list; and the memory.
struct BrowsePart {
    private let stage: Stage

    static let selection = "browse, key to the moved selection"
    static let page = "browse, key to another page"
    static let letter = "browse, key to its letter"
    static let search = "browse, key to the rows of a search"
    static let filter = "browse, key to the rows of a filter"
    static let start = "browse, exec to the first list"
    static let frame = "browse, bytes of a moved selection"
    static let memory = "browse, anonymous memory"

    /// The row of the screen with the query, the rank and the total.
    private static let queryRow = 3
    private static let steps = 15
    private static let maxSearches = 8

    init(_ stage: Stage) {
        self.stage = stage
    }

    func run() throws {
        guard let claimsctl = stage.bench.claimsctl else { return }
        BenchConsole.note("browse")
        do {
            for _ in 0..<(stage.rounds * 2) { try measureStart(claimsctl) }
            let terminal = try open(claimsctl)
            defer { terminal.stop() }
            try measureFrames(terminal)
            let changes = try ChangeMaker(stage.shape, socket: stage.daemon.socket)
            defer { changes.stop() }
            let searches = try searches()
            for _ in 0..<stage.rounds {
                try measureMoves(terminal)
                try measureLetter(terminal)
                try measureSearches(terminal, searches)
                try measureFilter(terminal)
            }
            stage.bench.results.add(
                Self.memory, of: Results.claimsd, on: stage.shape, terminal.anonymousBytes.map(Double.init),
                unit: .bytes)
        } catch let error as BenchError {
            stage.bench.results.note("browse, \(stage.shape.name): \(error.message)")
        }
    }

    private func open(_ claimsctl: String) throws -> BrowsedTerminal {
        let terminal = try BrowsedTerminal(
            claimsctl, ["--item", "--lang", "en"], socket: stage.daemon.socket)
        try terminal.wait { $0.rank(inRow: Self.queryRow) != nil }
        return terminal
    }

    private func measureStart(_ claimsctl: String) throws {
        let start = ContinuousClock.now
        let terminal = try open(claimsctl)
        let duration = ContinuousClock.now - start
        terminal.stop()
        stage.bench.results.add(Self.start, of: Results.claimsd, on: stage.shape, duration)
    }

    /// Counts the bytes of frames in which only the selection moves.
    private func measureFrames(_ terminal: BrowsedTerminal) throws {
        try terminal.settle()
        for _ in 0..<Self.steps {
            let bytes = try press("j", terminal).bytes
            stage.bench.results.add(Self.frame, of: Results.claimsd, on: stage.shape, Double(bytes), unit: .bytes)
        }
        for _ in 0..<Self.steps { _ = try press("k", terminal) }
    }

    private func measureMoves(_ terminal: BrowsedTerminal) throws {
        for (what, keys) in [(Self.selection, ["j", "k"]), (Self.page, ["\u{6}", "\u{2}"])] {
            for key in keys {
                for _ in 0..<Self.steps { add(what, try press(key, terminal).nanoseconds) }
            }
        }
    }

    /// Presses a key, and waits until another row is selected. A record that has gone meanwhile has no rank of its own,
    /// and a list that scrolls selects the same row of the screen.
    private func press(_ key: String, _ terminal: BrowsedTerminal) throws -> (nanoseconds: UInt64, bytes: Int) {
        let (row, rank) = (terminal.screen.selectedRow, terminal.screen.rank(inRow: Self.queryRow)?.rank)
        return try terminal.press(key) { screen in
            screen.selectedRow != row || screen.rank(inRow: Self.queryRow)?.rank != rank
        }
    }

    /// Types a search letter by letter, and deletes it.
    private func measureLetter(_ terminal: BrowsedTerminal) throws {
        var typed = ""
        for letter in ["/", "q", "x", "z", "j"] {
            typed += letter
            let found = typed
            let time = try terminal.press(letter) { screen in
                (1...BrowsedTerminal.rows).contains { screen.text($0).contains(found) }
            }
            if letter != "/" { add(Self.letter, time.nanoseconds) }
        }
        try leave(terminal)
    }

    /// A search that is typed but for its last letter, with the numbers of records before and after it.
    private struct TypedSearch {
        let text: String
        let before: Int
        let total: Int
    }

    private func searches() throws -> [TypedSearch] {
        let sets = QueryMaker(generator: stage.generator).sets().filter {
            [.tenHits, .thousandHits, .tenPercent].contains($0.kind)
        }
        var searches: [TypedSearch] = []
        for set in sets {
            var found: [TypedSearch] = []
            for text in set.queries.compactMap(\.text) where found.count < Self.maxSearches {
                if let search = try typedSearch(text) { found.append(search) }
            }
            searches += found
        }
        return searches
    }

    /// The beginning of a text whose last letter leaves clearly fewer records; nil if there is none.
    private func typedSearch(_ text: String) throws -> TypedSearch? {
        var before = try count(String(text.prefix(2)))
        for length in 3...max(3, text.count) {
            let part = String(text.prefix(length))
            let total = try count(part)
            if total > 1, before * 2 > total * 3 { return TypedSearch(text: part, before: before, total: total) }
            before = total
        }
        return nil
    }

    private func count(_ filter: String) throws -> Int {
        let parameters = #"{"collection":"\#(CollectionShape.collection)","filter":"\#(filter)"}"#
        let line = #"{"id":1,"method":"count","params":\#(parameters)}"# + "\n"
        let answer = try JSONValue.parse(try Load.ask(stage.daemon.socket, Array(line.utf8)))
        return answer["result"]?["total"]?.integer.map { Int($0) } ?? 0
    }

    private func measureSearches(_ terminal: BrowsedTerminal, _ searches: [TypedSearch]) throws {
        for search in searches {
            _ = try terminal.press("/" + search.text.dropLast()) { Self.shows(search.before, $0) }
            let time = try terminal.press(String(search.text.suffix(1))) { Self.shows(search.total, $0) }
            add(Self.search, time.nanoseconds)
            try leave(terminal)
        }
    }

    private func measureFilter(_ terminal: BrowsedTerminal) throws {
        for (price, phase) in [(500, 0), (1500, 1)] {
            let filter = "price>=\(price) phase=\(RecordGenerator.phases[phase])"
            let total = try count(filter)
            guard total > 0 else { continue }
            _ = try terminal.press("f" + filter) { screen in
                (1...BrowsedTerminal.rows).contains { screen.text($0).contains(filter) }
            }
            add(Self.filter, try terminal.press("\r") { Self.shows(total, $0) }.nanoseconds)
            try leave(terminal)
        }
    }

    /// Whether the list has about this number of records: a few are archived now and then.
    private static func shows(_ total: Int, _ screen: ScreenReader) -> Bool {
        guard let shown = screen.rank(inRow: queryRow)?.total else { return false }
        return abs(shown - total) <= max(2, total / 8)
    }

    /// Leaves the typed text, and resets the query.
    private func leave(_ terminal: BrowsedTerminal) throws {
        let records = stage.shape.records
        try terminal.leave { Self.shows(records, $0) }
        try terminal.settle()
    }

    private func add(_ what: String, _ nanoseconds: UInt64) {
        var latencies = Histogram()
        latencies.add(nanoseconds: nanoseconds)
        stage.bench.results.add(
            what, of: Results.claimsd, on: stage.shape, Double(nanoseconds), unit: .nanoseconds, latencies: latencies)
    }
}
