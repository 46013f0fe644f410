// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

/// The screen of `watch`: the first records of a list, drawn again after each event.
struct WatchScreen {
    private let context: CommandContext
    private let collection: String
    private var pace = ScreenPace()
    private var isDrawn = false

    /// The number of rows of a terminal that does not tell its size.
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
        return try context.following(firstAnswerBy: context.writtenDeadline, lost: { _ in screen.tellLoss() }) {
            connection, isAnswered throws(CommandError) in
            var parameters = SubscribeParameters()
            parameters.collection = collection
            parameters.feed = context.feedParameters()
            // A column may show any field.
            parameters.feed.fields = nil
            _ = try connection.answer(to: connection.request(.subscribe, parameters))
            isAnswered()
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
                try WatchCommand.check(event)
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
        for meta in CollectionMeta.all(in: answer[SearchResult.meta]) where meta.freshness != "fresh" {
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

    private mutating func tellLoss() {
        let line = Fitting.truncate(context.messages.daemonGone, to: context.console.width)
        // The records stay below it.
        try? context.console.output.write(context.console.canMoveCursor ? "\u{1B}[H\(line)\u{1B}[K" : "\n\(line)\n")
        try? context.console.output.flush()
    }
}
