// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let watch = Verb(
        "watch",
        summary: LocalizedText(
            en: "follow the changes of records",
            pl: "śledzi zmiany rekordów"),
        synopsis: "SELECTOR [TERMS…]",
        details: LocalizedText(
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
                    hint: ErrorText(en: "use -o jsonl", pl: "użyj -o jsonl")))
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
                    hint: ErrorText(en: "for the changes since then: -o jsonl", pl: "zmiany od tej chwili: -o jsonl")))
        }
        return try WatchScreen.run(collection, context)
    }

    /// Prints changes until their reader has gone.
    private static func follow(_ collection: String, _ context: CommandContext) throws(CommandError) -> ExitCode {
        let invocation = context.invocation
        let start: FollowedFeed.Start =
            invocation.isInitial ? .initial : invocation.since.map { $0 == "now" ? .now : .since($0) } ?? .now
        var feed = FollowedFeed(start, collection: collection)
        var isFirst = true
        var isAway = false
        return try context.following(
            firstAnswerBy: context.writtenDeadline,
            lost: { _ in
                feed.lost()
                if !isAway { tell(context.messages.daemonGone, context) }
                isAway = true
            }
        ) { connection, isAnswered throws(CommandError) in
            let answer = try subscribe(connection, to: collection, from: &feed, isFirst: isFirst, context)
            isAnswered()
            if isFirst {
                context.noticeFreshness(answer[SubscribeResult.meta])
                try? context.console.errors.flush()
            }
            if isAway { tell(context.messages.daemonIsBack, context) }
            isFirst = false
            isAway = false
            if let meta = CollectionMeta(answer[SubscribeResult.meta]), !meta.collection.isEmpty {
                feed.collection = meta.collection
            }
            feed.subscribed(at: answer[SubscribeResult.clock])
            while true {
                guard case .event(let event) = try connection.next() else { continue }
                try check(event)
                let lines = feed.take(event)
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
    private static func tell(_ text: String, _ context: CommandContext) {
        context.notice("claimsctl: \(text)")
        try? context.console.errors.flush()
    }

    /// Subscribes from where the feed stands. A clock that the daemon gave and does not know any more begins a set.
    private static func subscribe(
        _ connection: FeedConnection, to collection: String, from feed: inout FollowedFeed, isFirst: Bool,
        _ context: CommandContext
    ) throws(CommandError) -> AnswerValue {
        do throws(CommandError) {
            return try connection.answer(
                to: connection.request(.subscribe, parameters(feed.start, collection, context)))
        } catch {
            guard !isFirst, case .client(.refused(let refusal)) = error,
                refusal.kind == ErrorKind.badCursor.rawValue
            else { throw error }
        }
        feed.forgotten()
        return try connection.answer(to: connection.request(.subscribe, parameters(feed.start, collection, context)))
    }

    private static func parameters(
        _ start: FollowedFeed.Start, _ collection: String, _ context: CommandContext
    ) -> SubscribeParameters {
        var parameters = SubscribeParameters()
        parameters.collection = collection
        parameters.feed = context.feedParameters()
        switch start {
        case .now: break
        case .since(let clock): parameters.since = clock
        case .initial: parameters.isInitial = true
        }
        return parameters
    }

    /// Throws where an event is the last one.
    static func check(_ event: AnswerValue) throws(CommandError) {
        switch event[EventNotification.type].flatMap(EventKind.init(rawValue:)) {
        case .ended: throw .client(.refused(Refusal(event[EndedEvent.error])))
        case .lagged: throw .client(.closed(mayBeDone: false))
        default: break
        }
    }
}
