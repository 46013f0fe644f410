// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

extension Verb {
    static let wait = Verb(
        "wait",
        summary: TranslatedText(
            en: "wait until records match",
            pl: "czeka, aż rekordy spełnią warunek"),
        synopsis: "SELECTOR [TERMS…] --until EXPR",
        details: TranslatedText(
            en: """
                Waits until a record matches the terms and --until. With --all the terms must match some records, and
                --until all of these; with --none no record may match both. With --for the condition must hold for that
                long without a break; after a lost connection the time begins anew. With --max-age only data that is
                not older counts; a collection without data never does. It prints nothing. --timeout ends it with exit
                code 10; without one it waits as long as it takes, also for a daemon that goes away meanwhile.
                """,
            pl: """
                Czeka, aż rekord spełni argumenty i --until. Z --all argumenty muszą wybierać jakieś rekordy, a --until
                wszystkie z nich; z --none żaden rekord nie może spełniać obu. Z --for warunek musi być spełniony przez
                ten czas bez przerwy; po utracie połączenia czas liczy się od nowa. Z --max-age liczą się tylko dane
                nie starsze; kolekcja bez danych nie liczy się nigdy. Niczego nie wypisuje. --timeout kończy kodem 10;
                bez niego czeka, ile trzeba, także na demona, który w tym czasie zniknął.
                """),
        options: [.until, .all, .none, .for, .maxAge, .view, .archived, .filter, .text], terms: .filters)
}

/// `wait`: waits until a condition holds. It follows the sets of the condition's filters and counts them.
struct WaitCommand {
    private let context: CommandContext
    private let collection: String
    private var condition: WaitCondition
    private let base: FeedParameters
    /// The feeds, in the order of the condition's parts.
    private var feeds: [FollowedFeed] = []
    /// The changes of commits that are not complete yet, by part: the difference in records, and whether they may be
    /// added up.
    private var open: [(difference: Int64, isExact: Bool)] = []
    private let deadline: UInt64?
    /// The time at which the data becomes older than `--max-age`.
    private var expiry: UInt64?

    /// The number of attempts to count all filters at one clock, before events are looked at again.
    private static let maxAttempts = 8
    /// The pause before data that is too old, or counts that moved, are looked at again.
    private static let pause: Duration = .milliseconds(100)

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        var command = try WaitCommand(context)
        do throws(CommandError) {
            return try command.run()
        } catch {
            guard let deadline = command.deadline, SystemClock.monotonic >= deadline, error.isPassing else {
                throw error
            }
            return .timeout
        }
    }

    private init(_ context: CommandContext) throws(CommandError) {
        self.context = context
        let invocation = context.invocation
        collection = try context.requiredCollection("claimsctl wait --collection NAME --until FIELD=VALUE")
        guard let expression = FilterComposer.conjunction(nil, invocation.until) else {
            throw .usage(
                UsageError(
                    en: "'wait' needs --until and a filter", pl: "„wait” wymaga --until i filtra",
                    hint: .example("claimsctl wait --collection NAME --until FIELD=VALUE")))
        }
        if invocation.wantsAll, invocation.wantsNone {
            throw .usage(.contradiction("--all", "--none"))
        }
        base = context.feedParameters()
        condition = WaitCondition(
            invocation.wantsAll ? .all : invocation.wantsNone ? .none : .any, of: context.filter, until: expression,
            hold: invocation.hold?.duration.wholeNanoseconds ?? 0)
        deadline = context.writtenDeadline
    }

    private mutating func run() throws(CommandError) -> ExitCode {
        var command = self
        return try context.following(until: deadline, lost: { _ in command.condition.lost() }) {
            connection, answered throws(CommandError) in
            try command.subscribe(connection)
            _ = answered()
            return try command.follow(connection)
        }
    }

    private mutating func subscribe(_ connection: FeedConnection) throws(CommandError) {
        feeds = []
        open = []
        for part in condition.parts {
            context.filter = part.filter
            var parameters = SubscribeParameters()
            parameters.collection = collection
            parameters.feed = base
            parameters.feed.filter = part.filter.map { FilterValue($0) }
            if part.filter != nil { parameters.feed.timeZone = context.zoneParameter }
            // Only whether records come and go.
            parameters.feed.fields = NameList(["id"])
            // From now on also after a loss: the records are counted anew.
            var feed = FollowedFeed(.now)
            _ = try connection.subscribe(&feed, parameters)
            feeds.append(feed)
            open.append((0, true))
        }
    }

    private mutating func follow(_ connection: FeedConnection) throws(CommandError) -> ExitCode {
        condition.doubt()
        while true {
            // All that has arrived comes first: it may show that the condition did not hold for a moment.
            if case .event(let event) = try connection.next(before: SystemClock.monotonic) {
                try handle(event)
                let now = SystemClock.monotonic
                if condition.isMomentary, holds(at: now) { return .done }
                if let deadline, now >= deadline { return .timeout }
                continue
            }
            if let expiry, SystemClock.monotonic >= expiry { condition.doubt() }
            if condition.isDoubtful { try count(connection) }
            let now = SystemClock.monotonic
            if holds(at: now) { return .done }
            if let deadline, now >= deadline { return .timeout }
            let retry = condition.isDoubtful ? SystemClock.monotonic(after: Self.pause) : nil
            let next = [deadline, condition.holdsAt, expiry, retry].compactMap(\.self).min()
            if case .event(let event) = try connection.next(before: next) { try handle(event) }
        }
    }

    /// Whether the condition holds, and for data that is young enough.
    private func holds(at now: UInt64) -> Bool {
        condition.holds(at: now) && (context.invocation.maxAge == nil || !condition.isDoubtful)
    }

    private mutating func handle(_ event: FeedEvent) throws(CommandError) {
        try event.check()
        guard let part = feeds.indices.first(where: { feeds[$0].accept(event) }) else { return }
        switch event.kind {
        case .changes(let entries, let isComplete):
            for entry in entries { add(entry, to: part) }
            guard isComplete else { return }
            let (difference, isExact) = open[part]
            open[part] = (0, true)
            let seq = isExact ? event.clock.flatMap(ClockSequence.of) : nil
            condition.changed(part, by: difference, seq: seq, at: SystemClock.monotonic)
        case .freshInstance, .synced:
            open[part] = (0, true)
            condition.doubt()
        case .state: condition.doubt()
        case .heartbeat, .lagged, .ended, .unknown: break
        }
    }

    private mutating func add(_ entry: AnswerValue, to part: Int) {
        switch entry[FeedEntry.op] {
        case "added": open[part].difference += 1
        case "removed": open[part].difference -= 1
        default: break
        }
        // An erased record may never have been in the set; and no count shows before or after which moment it was.
        if let cause = entry[FeedEntry.cause], cause != "forget", cause != "time" { return }
        open[part].isExact = false
    }

    /// Asks for the counts of one moment.
    private mutating func count(_ connection: FeedConnection) throws(CommandError) {
        for _ in 0..<Self.maxAttempts {
            let numbers = condition.parts.map { connection.request(.count, parameters(of: $0)) }
            var counts: [Int64] = []
            var revisions: [String] = []
            var age: Int64?
            do throws(CommandError) {
                for number in numbers {
                    let answer = try connection.answer(to: number)
                    counts.append(answer[CountResult.total] ?? 0)
                    revisions.append(answer[CountResult.meta]?[Meta.clock] ?? "")
                    age = AnswerMeta(answer[CountResult.meta])?.age ?? age
                }
            } catch {
                guard case .client(.refused(let refusal)) = error, Self.isWithoutData(refusal) else { throw error }
                expiry = nil
                return condition.hasNoData()
            }
            if revisions.contains(where: { $0 != revisions[0] }) { continue }
            let now = SystemClock.monotonic
            expiry = context.invocation.maxAge.flatMap { limit in
                age.map { SystemClock.monotonic(after: max(.milliseconds(1), limit.duration - .milliseconds($0 - 1))) }
            }
            return condition.counted(counts, seq: ClockSequence.of(revisions[0]) ?? 0, at: now)
        }
    }

    private static func isWithoutData(_ refusal: Refusal) -> Bool {
        refusal.kind == ErrorKind.noData.rawValue || refusal.kind == ErrorKind.notFresh.rawValue
    }

    private func parameters(of part: WaitCondition.Part) -> CountParameters {
        var parameters = CountParameters()
        parameters.collection = collection
        parameters.selection.filter = part.filter.map { FilterValue($0) }
        parameters.selection.view = base.view
        parameters.selection.archived = base.archived
        parameters.selection.timeZone = part.filter == nil ? base.timeZone : context.zoneParameter
        parameters.selection.maxAge = context.invocation.maxAge?.duration.wholeMilliseconds
        return parameters
    }
}
