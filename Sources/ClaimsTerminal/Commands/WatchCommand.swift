// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

extension Verb {
    static let watch = Verb(
        "watch",
        summary: TranslatedText(
            en: "follow the changes of records",
            pl: "śledzi zmiany rekordów"),
        synopsis: "SELECTOR [TERMS…]",
        details: TranslatedText(
            en: """
                Follows the records that the terms select. On a terminal it shows the first screen of the list, and
                again after each change. Into a pipe, and with -o jsonl, it prints each change from now on as a line
                of JSON: whole commits, each entry once, also where the daemon is restarted meanwhile. With --initial
                the records come first; with --since what came after that clock. A line with the op fresh_instance
                begins a whole set: forget what came before it.
                """,
            pl: """
                Śledzi wybrane rekordy. W terminalu pokazuje pierwszy ekran listy, i znów po każdej zmianie. Do potoku
                oraz z -o jsonl wypisuje odtąd każdą zmianę jako wiersz JSON: całe zatwierdzenia, każdy wpis raz,
                także gdy demon zostanie w tym czasie uruchomiony ponownie. Z --initial najpierw idą rekordy; z
                --since to, co przyszło po tym zegarze. Wiersz z op fresh_instance zaczyna cały zbiór: zapomnij, co
                było przed nim.
                """),
        options: [.since, .initial, .sort, .fields, .view, .archived, .filter, .text], terms: .filters)
}

/// `watch`: the first screen of a list, or changes as lines of JSON.
enum WatchCommand {
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let invocation = context.invocation
        let collection = try context.requiredCollection("claimsctl watch --collection NAME")
        if invocation.since != nil, invocation.isInitial {
            throw .usage(.contradiction("--since", "--initial"))
        }
        let isScreen = context.console.isTerminal && context.format.isForPeople
        if !isScreen, let format = invocation.output, !format.isJSON {
            throw .usage(
                UsageError(
                    en: "'watch' prints lines of JSON into a pipe, and no \(format.rawValue)",
                    pl: "„watch” wypisuje do potoku wiersze JSON, a nie \(format.rawValue)",
                    hint: TranslatedText(en: "use -o jsonl", pl: "użyj -o jsonl")))
        }
        guard isScreen else {
            if !invocation.sort.isEmpty {
                throw .usage(
                    UsageError(
                        en: "changes come in their own order, and --sort has no meaning for them",
                        pl: "zmiany mają własny porządek i --sort nic dla nich nie znaczy"))
            }
            return try follow(collection, context)
        }
        if invocation.since != nil || invocation.isInitial {
            throw .usage(
                UsageError(
                    en: "the screen shows the records as they are", pl: "ekran pokazuje rekordy w obecnej postaci",
                    hint: TranslatedText(
                        en: "for the changes since then: -o jsonl", pl: "zmiany od tej chwili: -o jsonl")))
        }
        return try WatchScreen.run(collection, context)
    }

    /// Prints changes until their reader has gone.
    private static func follow(_ collection: String, _ context: CommandContext) throws(CommandError) -> ExitCode {
        let invocation = context.invocation
        let start: FollowedFeed.Start =
            invocation.isInitial ? .initial : invocation.since.map { $0 == "now" ? .now : .since($0) } ?? .now
        var printed = PrintedFeed(start, collection: collection)
        var parameters = SubscribeParameters()
        parameters.collection = collection
        parameters.feed = context.feedParameters()
        var isFirst = true
        return try context.following(
            firstAnswerBy: context.writtenDeadline,
            lost: { isNew in
                printed.lost()
                if isNew { report(context.messages.daemonGone, context) }
            }
        ) { connection, answered throws(CommandError) in
            let answer = try connection.subscribe(&printed.feed, parameters)
            if answered() { report(context.messages.daemonIsBack, context) }
            if isFirst {
                context.noticeFreshness(answer[SubscribeResult.meta])
                try? context.console.errors.flush()
            }
            isFirst = false
            if let meta = AnswerMeta(answer[SubscribeResult.meta]), !meta.collection.isEmpty {
                printed.collection = meta.collection
            }
            while true {
                guard case .event(let event) = try connection.next() else { continue }
                try event.check()
                let lines = printed.handle(event)
                if lines.isEmpty { continue }
                try context.printing { () throws(OutputError) in
                    let isTerminal = context.console.isTerminal
                    try context.console.output.write(isTerminal ? JSONLayout.terminalSafe(lines) : lines)
                    // At once: it may be the last for long.
                    try context.console.output.flush()
                }
            }
        }
    }

    /// One line on standard error, at once: nothing else may come for long.
    private static func report(_ text: String, _ context: CommandContext) {
        context.notice("claimsctl: \(text)")
        try? context.console.errors.flush()
    }
}

/// The screen of `watch`: the first records of a list, drawn again after each event.
struct WatchScreen {
    private let context: CommandContext
    private let collection: String
    private var pace = ScreenPace()
    private var isDrawn = false

    /// The number of rows of a terminal whose size is not known.
    private static let standardRows = 24
    /// The lines that are no records: what is shown, the headings, and a line to spare.
    private static let otherLines = 3

    /// Draws until it is interrupted, or until the daemon ends the subscription.
    static func run(_ collection: String, _ context: CommandContext) throws(CommandError) -> ExitCode {
        var screen = WatchScreen(context: context, collection: collection)
        return try screen.run()
    }

    private init(context: CommandContext, collection: String) {
        self.context = context
        self.collection = collection
    }

    private mutating func run() throws(CommandError) -> ExitCode {
        var screen = self
        return try context.following(firstAnswerBy: context.writtenDeadline, lost: { _ in screen.showLoss() }) {
            connection, answered throws(CommandError) in
            var parameters = SubscribeParameters()
            parameters.collection = collection
            parameters.feed = context.feedParameters()
            // A column may show any field.
            parameters.feed.fields = nil
            // The list is drawn anew, whatever has changed before.
            var feed = FollowedFeed(.now)
            _ = try connection.subscribe(&feed, parameters)
            _ = answered()
            var describing = DescribeParameters()
            describing.collection = collection
            let described = try connection.answer(to: connection.request(.describe, describing))
            let description = CollectionDescription.all(in: described).first
            screen.pace.changed()
            while true {
                if let time = screen.pace.nextDrawing, time <= SystemClock.monotonic {
                    try screen.draw(connection, description)
                    screen.pace.drawn(at: SystemClock.monotonic)
                }
                guard case .event(let event) = try connection.next(before: screen.pace.nextDrawing) else { continue }
                try event.check()
                screen.pace.changed()
            }
        }
    }

    private mutating func draw(
        _ connection: FeedConnection, _ description: CollectionDescription?
    ) throws(CommandError) {
        let rows = context.surroundings.terminalSize()?.rows ?? Self.standardRows
        let selection = context.selection(filteredBy: context.invocation.terms)
        var parameters = SearchParameters()
        parameters.collection = collection
        parameters.selection = selection
        parameters.page.limit = Int64(min(max(1, rows - Self.otherLines), PageParameters.maxLimit))
        if !context.invocation.fields.isEmpty { parameters.page.fields = NameList(context.invocation.fields) }
        if !context.invocation.sort.isEmpty {
            parameters.sort = SortValue(context.invocation.sort.map(SortKeys.key))
        }
        let answer: AnswerValue
        do throws(CommandError) {
            answer = try connection.answer(to: connection.request(.search, parameters))
        } catch {
            // Data may come.
            guard case .client(.refused(let refusal)) = error, refusal.kind == ErrorKind.noData.rawValue else {
                throw error
            }
            return try show([refusal.message], rows: rows)
        }
        let now = context.surroundings.now()
        let time = LocalTime(zone: context.time.zone, now: now, messages: context.messages)
        var renderer = ListRenderer(
            collections: description.map { [$0] } ?? [], single: description, fields: context.invocation.fields,
            isWide: context.format == .wide, showsArchived: selection.archived == .include,
            width: context.console.width, isColored: context.console.isColored, time: time)
        let text = renderer.render(answer, isGrouped: false)
        let messages = context.messages
        var heading = messages.watched(
            messages.count(answer[SearchResult.total] ?? 0, Plural(of: description)),
            filter: context.filter.map(Escaping.line), clock: time.clock(now))
        for meta in AnswerMeta.all(in: answer[SearchResult.meta]) where meta.freshness != "fresh" {
            if let line = FreshnessLine(time).text(meta) { heading += "; \(line)" }
        }
        try show(
            [Fitting.truncate(heading, to: context.console.width)] + text.split(separator: "\n").map(String.init),
            rows: rows)
    }

    /// Replaces the screen by lines, as many as fit.
    private mutating func show(_ lines: [String], rows: Int) throws(CommandError) {
        let lines = lines.prefix(max(1, rows - 1))
        // Where the cursor cannot be moved, each state stands below the one before.
        let text =
            context.console.canMoveCursor
            ? (isDrawn ? "\u{1B}[H" : "\u{1B}[2J\u{1B}[H") + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
                + "\r\n\u{1B}[J"
            : (isDrawn ? "\n" : "") + lines.joined(separator: "\n") + "\n"
        isDrawn = true
        try context.printing { () throws(OutputError) in
            try context.console.output.write(text)
            try context.console.output.flush()
        }
    }

    private mutating func showLoss() {
        let line = Fitting.truncate(context.messages.daemonGone, to: context.console.width)
        // The records stay below it.
        try? context.console.output.write(context.console.canMoveCursor ? "\u{1B}[H\(line)\u{1B}[K" : "\n\(line)\n")
        try? context.console.output.flush()
    }
}

/// The times at which a screen is drawn: soon after a change, but not too often.
struct ScreenPace {
    /// The shortest time from one drawing to the next.
    static let minInterval: Duration = .milliseconds(200)

    private var isChanged = true
    private var lastDrawn: UInt64?

    /// Records that what the screen shows may have changed.
    mutating func changed() { isChanged = true }

    /// Records a drawing, at a time in nanoseconds of the monotonic clock.
    mutating func drawn(at now: UInt64) {
        isChanged = false
        lastDrawn = now
    }

    /// The earliest time of the next drawing; nil if nothing has changed.
    var nextDrawing: UInt64? {
        guard isChanged else { return nil }
        return lastDrawn.map { $0 + Self.minInterval.wholeNanoseconds } ?? 0
    }
}
