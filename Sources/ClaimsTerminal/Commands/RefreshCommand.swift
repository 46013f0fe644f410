// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
public import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

extension Verb {
    static let refresh = Verb(
        "refresh",
        summary: TranslatedText(
            en: "ask the upstream now",
            pl: "pyta serwer teraz"),
        synopsis: "[SELECTOR]",
        details: TranslatedText(
            en: """
                Asks the upstream now, for one collection or all. It says that it started; with --wait, what came of
                it. With --site it asks one site of a collection that has several. With --wait it ends with 11 if an
                upstream failed, if its answer is held, or if the join failed.
                """,
            pl: """
                Pyta serwer teraz, o jedną kolekcję albo o wszystkie. Mówi, że zaczęto; z --wait mówi, co z tego
                wyszło. Z --site pyta jeden oddział kolekcji, która ma ich kilka. Z --wait kończy się kodem 11, gdy
                serwer zawiódł, gdy jego odpowiedź wstrzymano albo gdy zawiodło drugie zapytanie (join).
                """),
        options: [.wait, .force, .accept, .site],
        maxArguments: 0)
}

/// `refresh`: asks the upstreams now; with `--wait` reports the outcome.
enum RefreshCommand {
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let answer = try answer(context)
        try print(answer, context)
        try context.flush()
        return context.invocation.waits ? conclude(answer, context) : .done
    }

    /// Refreshes, and shows meanwhile how far that is.
    static func answer(_ context: CommandContext) throws(CommandError) -> AnswerValue {
        let invocation = context.invocation
        // The daemon has deadlines for transfers.
        let connection = try context.connection(timeout: invocation.waits ? nil : .seconds(30))
        var parameters = RefreshParameters()
        parameters.collection = invocation.selector?.name
        parameters.site = invocation.site
        parameters.isWaiting = invocation.waits
        parameters.isForced = invocation.isForced
        parameters.isAccepted = invocation.accepts
        let isWatched = invocation.waits && context.showsProgress
        parameters.isWatching = isWatched
        let number = connection.request(.refresh, parameters)
        guard isWatched else { return try context.answer(to: number, isLong: invocation.waits) }
        let subject = invocation.selector?.name ?? context.messages.allCollections
        let progress = RefreshProgressLine(context) { context.messages.refreshing(subject, seconds: $0) }
        return try context.answer(to: number, tellingProgress: progress)
    }

    private static func print(_ answer: AnswerValue, _ context: CommandContext) throws(CommandError) {
        typealias Outcome = RefreshResult.Outcome
        let messages = context.messages
        let counts: [(Member<Int>, Messages.Heading)] = [
            (Outcome.added, .added), (Outcome.updated, .updated), (Outcome.removed, .removed),
            (Outcome.quarantined, .quarantined),
        ]
        let outcomes = answer[RefreshResult.collections]
        let hasSites = outcomes.contains { $0[Outcome.site] != nil }
        var rows = TableRows(
            [("collection", LayoutColumn(heading: messages.heading(.collection)))]
                + (hasSites ? [("site", LayoutColumn(heading: messages.heading(.site)))] : [])
                + [
                    ("outcome", LayoutColumn(heading: messages.heading(.outcome)))
                ]
                + counts.map { member, heading in
                    (String(describing: member.name), LayoutColumn(heading: messages.heading(heading), isRight: true))
                })
        for collection in outcomes {
            let name = collection[Outcome.collection] ?? ""
            let site = collection[Outcome.site] ?? ""
            let outcome = collection[Outcome.outcome] ?? ""
            let known = collection.refreshOutcome
            let style: Style = known?.isFailure == true ? .warning : .plain
            rows.append(
                [(name, Cell(Escaping.line(name)))] + (hasSites ? [(site, Cell(Escaping.line(site)))] : []) + [
                    (outcome, Cell(Escaping.line(messages.word(outcome)), style: style))
                ]
                    + counts.map { member, _ in
                        let number = collection[member]
                        // A refresh that has only started, or has failed, has changed nothing that could be counted.
                        let isCounted = known == .updated || known == .held
                        let shown = isCounted ? number.map { messages.number($0) } ?? "" : ""
                        return (number.map { String($0) } ?? "", Cell(shown))
                    })
        }
        try context.print(Presentation(answer, rows: rows))
    }

    /// Decides the exit code: 11 where an upstream gave nothing that could be taken, or no joined values, or was not asked.
    private static func conclude(_ answer: AnswerValue, _ context: CommandContext) -> ExitCode {
        let troubles = RefreshTroubles(answer, context.time, unit: context.unit) { context.daemonStatus() }
        let reports = troubles.reports
        guard let all = ErrorReport.joined(reports) else { return .done }
        for report in context.format.isJSON ? [all] : reports { context.report(report) }
        return .upstreamFailed
    }
}

/// The line on a terminal that shows how far refreshes, or a trial, are: the phase of each, its bytes or what it waits for,
/// and for how long it has been.
struct RefreshProgressLine {
    private typealias Entry = RefreshProgressNotification

    /// The text before the first notification, after so many seconds.
    private let beginning: (Int64) -> String
    private let time: LocalTime
    private let start = SystemClock.monotonic
    private var line: ProgressLine
    /// The newest notification of each source, in the order in which they first came.
    private var states: [(collection: String, text: String)] = []

    init(_ context: CommandContext, beginning: @escaping (Int64) -> String) {
        self.beginning = beginning
        time = context.time
        line = ProgressLine(context)
    }

    /// Handles a notification; one of another kind is passed over.
    mutating func handle(_ notification: AnswerValue) {
        guard notification["method"]?.string == Entry.method, let params = notification["params"],
            let name = params[Entry.collection]
        else { return }
        let collection = params[Entry.site].map { "\(name), \($0)" } ?? name
        let text = Self.text(params, time)
        if let index = states.firstIndex(where: { $0.collection == collection }) {
            states[index].text = text
        } else {
            states.append((collection, text))
        }
        tick()
    }

    /// How far one refresh is: `receiving 1.2 of 3.0 MiB`.
    static func text(_ params: AnswerValue, _ time: LocalTime) -> String {
        let messages = time.messages
        let progress = RefreshProgress(params)
        if let wait = progress.wait { return messages.text(wait.text(until: time.exactClock(wait.until))) }
        return messages.phase(of: progress)
    }

    mutating func tick() {
        let seconds = Int64((SystemClock.monotonic - start) / 1_000_000_000)
        let text = states.map { "\($0.collection): \($0.text)" }.joined(separator: "; ")
        line.show(states.isEmpty ? beginning(seconds) : "\(text), \(seconds) s")
    }

    mutating func clear() { line.clear() }
}

extension RefreshProgress {
    /// How far a refresh is, as a notification reports it.
    public init(_ params: AnswerValue) {
        typealias Entry = RefreshProgressNotification
        self.init()
        phase = Phase(rawValue: params[Entry.phase] ?? "")
        bytes = Int(params[Entry.bytes] ?? 0)
        expected = params[Entry.expected].map { Int($0) }
        pages = Int(params[Entry.pages] ?? 0)
        records = Int(params[Entry.records] ?? 0)
        wait = HostWait(params[Entry.wait])
    }
}

extension HostWait {
    /// The wait of a notification; nil if there is none that this program knows.
    fileprivate init?(_ value: AnswerValue?) {
        typealias Entry = RefreshProgressNotification.Wait
        guard let value, let host = value[Entry.host], let reason = value[Entry.reason].flatMap(Reason.init),
            let until = value[Entry.until]?.string.flatMap({ Instant.parse($0)?.ms })
        else { return nil }
        self.init(host: host, reason: reason, until: until)
    }
}

extension CommandContext {
    /// Whether people see how far something is.
    var showsProgress: Bool { !invocation.isQuiet && console.progress != .none }

    /// The result of a request that reports how far it is.
    func answer(
        to number: ClientConnection.RequestNumber, tellingProgress line: RefreshProgressLine
    ) throws(CommandError) -> AnswerValue {
        var line = line
        defer { line.clear() }
        return try answer(
            to: number, isLong: true, whileWaiting: { line.tick() }, onNotification: { line.handle($0) })
    }
}

/// The failures in the answer of a `refresh` that waited. Collections that share a cause are named together.
struct RefreshTroubles {
    /// A reason, and the collections or sites that it affects.
    struct Trouble {
        let reason: String
        var remedy: Remedy = .none
        /// The collection whose sites are affected; nil if whole collections are.
        var siteOf: String?
        /// The names of the collections.
        var collections: [String] = []
        /// The names of the sites of the collection.
        var sites: [String] = []
    }

    /// The hint about a failure.
    enum Remedy {
        case none, askAllTheSame, tryAgain
        case failure(AnswerMeta.Failure)
    }

    private(set) var troubles: [Trouble] = []
    private let messages: Messages
    private let time: LocalTime
    private let files: DaemonFiles

    /// Gathers the troubles of an answer, in its order.
    ///
    /// - Parameter status: asks for an answer to `status`, which has the failure of each site and the daemon's files;
    ///   called where a refresh has failed.
    init(_ answer: AnswerValue, _ time: LocalTime, unit: DaemonUnit?, status: () -> AnswerValue?) {
        self.time = time
        messages = time.messages
        let outcomes = answer[RefreshResult.collections]
        let told = outcomes.contains(where: Self.hasFailed) ? status() : nil
        files = DaemonFiles(told, unit: unit)
        for outcome in outcomes {
            guard let trouble = trouble(of: outcome, told) else { continue }
            add(trouble, outcome[RefreshResult.Outcome.collection] ?? "", outcome[RefreshResult.Outcome.site])
        }
    }

    private mutating func add(_ trouble: Trouble, _ collection: String, _ site: String?) {
        var trouble = trouble
        trouble.siteOf = site == nil ? nil : collection
        let index = troubles.firstIndex {
            $0.reason == trouble.reason && $0.remedy.isLike(trouble.remedy) && $0.siteOf == trouble.siteOf
        }
        if index == nil { troubles.append(trouble) }
        let own = index ?? troubles.count - 1
        if !troubles[own].collections.contains(collection) { troubles[own].collections.append(collection) }
        if let site { troubles[own].sites.append(site) }
    }

    /// Whether a collection or site has a failure to report, though perhaps only of its join.
    private static func hasFailed(_ outcome: AnswerValue) -> Bool {
        switch outcome.refreshOutcome {
        case .failed, .held: true
        // The failure of the collection may be of another site.
        case .updated, .unchanged: AnswerMeta(outcome[RefreshResult.Outcome.meta])?.failure != nil
        case .started, .skipped, nil: false
        }
    }

    /// The trouble of one collection or site; nil if all is well.
    private func trouble(of outcome: AnswerValue, _ status: AnswerValue?) -> Trouble? {
        typealias Outcome = RefreshResult.Outcome
        let meta = AnswerMeta(outcome[Outcome.meta])
        // That of the collection may be of another site.
        let site: String? = outcome[Outcome.site]
        let failure =
            meta?.failure.flatMap { $0.site == site ? $0 : nil }
            ?? site.flatMap { Self.failure(of: $0, in: outcome[Outcome.collection] ?? "", status) }
        let result = outcome.refreshOutcome
        switch result {
        case .failed, .held:
            let isHeld = result == .held
            let reason = failure.map(\.message) ?? (isHeld ? messages.guardHolds : messages.refreshFailed)
            return Trouble(reason: FreshnessLine.clause(reason), remedy: failure.map { .failure($0) } ?? .none)
        case .updated, .unchanged:
            // The records came, and what is joined with them did not.
            guard let failure, failure.kind == "join" else { return nil }
            return Trouble(reason: FreshnessLine.clause(failure.message), remedy: .failure(failure))
        case .skipped:
            // The truth of such a collection is here, so there is nobody to ask.
            return meta?.source == "local" ? nil : skipped(meta, until: outcome[Outcome.until]?.string)
        case .started, nil: return nil
        }
    }

    /// The failure of a site in the answer to `status`.
    private static func failure(of site: String, in name: String, _ status: AnswerValue?) -> AnswerMeta.Failure? {
        typealias Entry = StatusResult.Collection
        let collection = status?[StatusResult.collections].first { $0[Entry.name] == name }
        let state = collection?[Entry.sites].first { $0[StatusResult.SiteState.site] == site }
        return AnswerMeta.Failure(state?[StatusResult.SiteState.lastError])
    }

    /// Why a collection was not refreshed, and until when that is so.
    private func skipped(_ meta: AnswerMeta?, until: String?) -> Trouble {
        if let until = until.flatMap({ Instant.parse($0)?.ms }) {
            // A sentence of its own: it may be in another language.
            let cause = meta?.failure.map { ". \($0.message)" } ?? ""
            let text = "\(time.clock(until)), \(time.relative(until))"
            return Trouble(reason: messages.notAsked(before: text) + cause, remedy: .askAllTheSame)
        }
        if meta == nil { return Trouble(reason: messages.removedMeanwhile) }
        return Trouble(reason: messages.changedMeanwhile, remedy: .tryAgain)
    }

    /// The reports, one for each reason.
    var reports: [ErrorReport] {
        troubles.map { trouble in
            let subject = (trouble.collections + trouble.sites).joined(separator: ", ")
            return ErrorReport(
                .upstreamFailed, kind: ErrorKind.upstreamFailed.rawValue, message: "\(subject): \(trouble.reason)",
                hint: hint(trouble))
        }
    }

    private func hint(_ trouble: Trouble) -> String? {
        switch trouble.remedy {
        case .none: nil
        case .askAllTheSame: messages.askAllTheSame(trouble.collections)
        case .tryAgain: messages.tryAgain(trouble.collections)
        case .failure(let failure):
            Advice.forFailure(failure, collections: trouble.collections, files: files, messages)
        }
    }
}

extension AnswerValue {
    /// The outcome of an entry of `refresh`; nil for one that is not known.
    var refreshOutcome: RefreshOutcome? { self[RefreshResult.Outcome.outcome].flatMap { RefreshOutcome(rawValue: $0) } }
}

extension RefreshTroubles.Remedy {
    /// Whether the same words describe both.
    fileprivate func isLike(_ other: Self) -> Bool {
        switch (self, other) {
        case (.failure(let one), .failure(let two)):
            // Held data is looked at and accepted one collection at a time.
            one.kind == two.kind && one.reason == two.reason && one.status == two.status && one.kind != "held"
        case (.none, .none), (.askAllTheSame, .askAllTheSame), (.tryAgain, .tryAgain): true
        default: false
        }
    }
}

extension ErrorReport {
    /// Several reports as one, for JSON, where an error is one object; nil of none.
    static func joined(_ reports: [ErrorReport]) -> ErrorReport? {
        guard var first = reports.first else { return nil }
        first.message = reports.map(\.message).joined(separator: "; ")
        let hints = reports.compactMap(\.hint)
        first.hint = hints.isEmpty ? nil : hints.joined(separator: "; ")
        return first
    }
}
