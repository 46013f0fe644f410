// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
public import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

/// The means of a command: the command line, the console, the printer of the format, and the connection, opened when
/// it is first needed.
///
/// ```swift
/// let answer = try context.call(.count, parameters)
/// try context.print(Presentation(answer, rows: rows))
/// ```
public final class CommandContext {
    /// The command line.
    public let invocation: Invocation
    /// The environment of the command.
    public let surroundings: Surroundings
    let console: Console
    let format: OutputFormat
    let printer: any Printer
    /// The user's language, where it is known.
    public let language: String?
    /// The language that the daemon is asked to answer in: the user's; in JSON only one that was asked for by name, so
    /// that programs see the same everywhere, and nil else.
    let answerLanguage: String?
    /// The texts that people read, in ``answerLanguage``, as the daemon's own words in its answer are.
    public let messages: Messages
    /// The filter that was sent, so that an error can point into it.
    public var filter: String?

    var opened: ClientConnection?
    /// Called for each notification that comes while an answer is awaited, where the request has nothing of its own.
    public var onNotification: ((AnswerValue) -> Void)?
    /// How long the daemon may take, as it was written; nil for the standard.
    var limit: WrittenSpan?
    /// Whether it has been said that the daemon does not answer.
    var hasToldSilence = false
    /// Whether the arguments have been searched for conditions within values.
    var hasToldInnerConditions = false
    private let localTime: LazyTime

    init(
        _ invocation: Invocation, _ surroundings: Surroundings, output: Output, errors: Output
    ) throws(CommandError) {
        var (surroundings, output) = (surroundings, output)
        if invocation.target != nil {
            // The file is opened later, and is no terminal, whatever standard output is.
            let isTerminal = surroundings.isTerminal
            surroundings.isTerminal = { $0 != 1 && isTerminal($0) }
            output = Output(descriptor: nil)
        }
        self.invocation = invocation
        self.surroundings = surroundings
        let given = try Self.format(invocation, surroundings)
        format = given ?? (surroundings.isTerminal(1) || invocation.wantsPlot ? .table : .tsv)
        console = Console(
            surroundings, output: output, errors: errors, color: invocation.color, isPaged: format.isForPeople,
            hasLongLines: format == .wide)
        language = invocation.language.map { Language.code($0) ?? $0 } ?? Language.ofMessages(surroundings.environment)
        answerLanguage = format.isJSON && invocation.language == nil ? nil : language
        messages = Messages(answerLanguage)
        let time = LazyTime(surroundings, messages)
        localTime = time
        printer = format.printer(
            console, time: { time.value }, isAsked: given != nil, wantsUpstream: invocation.wantsUpstream,
            messages: messages, wantsPlot: invocation.wantsPlot, isIntoFile: invocation.target != nil)
    }

    private static func format(
        _ invocation: Invocation, _ surroundings: Surroundings
    ) throws(CommandError) -> OutputFormat? {
        if let format = invocation.output {
            guard format.isForPeople || !invocation.wantsPlot else {
                throw .usage(
                    UsageError(
                        en: "--plot and -o \(format.rawValue) contradict each other",
                        pl: "--plot i -o \(format.rawValue) wykluczają się",
                        hint: ErrorText(en: "plots are text", pl: "wykresy są tekstem")))
            }
            return format
        }
        if invocation.wantsPlot { return nil }
        guard let name = surroundings.environment("CLAIMSCTL_OUTPUT"), !name.isEmpty else { return nil }
        guard let format = OutputFormat(rawValue: name) else {
            let all = OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage(
                UsageError(
                    en: "CLAIMSCTL_OUTPUT '\(name)' is none of \(all)",
                    pl: "CLAIMSCTL_OUTPUT „\(name)” nie jest żadnym z: \(all)"))
        }
        return format
    }

    /// Whether colours may be used on standard output.
    public var isColored: Bool { console.isColored }

    /// The user's clock and time zone.
    public var time: LocalTime { localTime.value }

    /// The time zone that the days of a filter are in; UTC goes without saying.
    public var zoneParameter: String? {
        let name = surroundings.zoneName()
        return name == "UTC" ? nil : name
    }

}

/// The user's clock, whose time zone is read only where it is needed.
private final class LazyTime {
    private let surroundings: Surroundings
    private let messages: Messages
    private lazy var zone = surroundings.zone()
    /// The clock as it is now: a form may have taken a while.
    var value: LocalTime { LocalTime(zone: zone, now: surroundings.now(), messages: messages) }

    init(_ surroundings: Surroundings, _ messages: Messages) {
        self.surroundings = surroundings
        self.messages = messages
    }
}

extension OutputFormat {
    /// The printer of this format.
    ///
    /// - Parameters:
    ///   - isAsked: whether the format was asked for, by option or variable.
    ///   - isIntoFile: whether the output is a file that gets its name once all is written.
    fileprivate func printer(
        _ console: Console, time: @escaping () -> LocalTime, isAsked: Bool, wantsUpstream: Bool,
        messages: Messages, wantsPlot: Bool, isIntoFile: Bool
    ) -> any Printer {
        switch self {
        case .table, .wide:
            TextPrinter(
                console, isWide: self == .wide, time: time, wantsUpstream: wantsUpstream, messages: messages,
                wantsPlot: wantsPlot)
        case .json: JSONPrinter(console, isWhole: !isIntoFile)
        case .jsonl: JSONLinesPrinter(console)
        case .csv: SeparatedPrinter(console, .csv, isAsked: isAsked)
        case .tsv: SeparatedPrinter(console, .tsv, isAsked: isAsked)
        case .spreadsheet: SeparatedPrinter(console, .spreadsheet, isAsked: isAsked)
        case .name: NamePrinter(console)
        }
    }
}

// Printing.

extension CommandContext {
    /// Refuses `-o json` for a command whose output is no data. The variable is no such wish: it is about data.
    ///
    /// - Parameter reason: what the command prints instead.
    public func requireNoJSON(_ reason: ErrorText) throws(CommandError) {
        guard let output = invocation.output, output.isJSON else { return }
        throw .usage(
            UsageError(
                en: reason.english, pl: reason.polish,
                hint: ErrorText(en: "leave out -o \(output.rawValue)", pl: "pomiń -o \(output.rawValue)")))
    }

    /// Prints a text as it is, whatever the format.
    public func write(_ text: String) throws(CommandError) {
        try printing { () throws(OutputError) in try console.write { $0 += text.utf8 } }
        try flush()
    }

    /// Prints a result, in the format that was asked for.
    package func print(_ presentation: Presentation) throws(CommandError) {
        try printing { () throws(OutputError) in try printer.print(presentation) }
    }

    /// Does what prints something; its error becomes the command's.
    func printing(_ body: () throws(OutputError) -> Void) throws(CommandError) {
        do throws(OutputError) { try body() } catch { throw .output(error) }
    }

    /// Prints data as it is.
    public func write(_ bytes: [UInt8]) throws(CommandError) {
        try printing { () throws(OutputError) in try console.write { $0 += bytes } }
    }

    /// Prints what has been gathered, so that what follows on standard error comes after it.
    public func flush() throws(CommandError) {
        try printing { () throws(OutputError) in try console.flush() }
    }

    /// One line on standard error, unless `-q` was given.
    public func notice(_ text: String) {
        if !invocation.isQuiet { console.notice(text) }
    }

    /// Says of each collection that is not fresh how it stands, and of those left out why.
    ///
    /// - Parameter totals: the number of matching records by collection, in an answer about several. Collections without
    ///   one are passed over, unless none has any: then old data may be the reason.
    func noticeFreshness(_ value: AnswerValue?, totals: AnswerValue? = nil) {
        if invocation.isQuiet { return }
        let found = (totals?.members ?? []).filter { ($0.value.integer ?? 0) > 0 }.map(\.name)
        let metas = CollectionMeta.all(in: value).filter { found.isEmpty || found.contains($0.collection) }
        noticeFreshness(metas, CollectionMeta.skipped(in: value, messages))
    }

    func noticeFreshness(_ metas: [CollectionMeta], _ skipped: [(collection: String, reason: String)] = []) {
        // The user's time zone is read only where there is something to say.
        let old = metas.filter { meta in
            meta.state == "withheld" || meta.freshness != nil && (meta.freshness != "fresh" || meta.isAbandoned)
        }
        if !old.isEmpty {
            // A file is named only where no source is left.
            let line =
                old.contains(where: \.isAbandoned)
                ? FreshnessLine(time, configuration: daemonFiles().folder) : FreshnessLine(time)
            for text in line.texts(old) { notice(text) }
        }
        if let text = LeftOut.text(skipped, messages) { notice(text) }
        let outdated = metas.filter(\.isDefinitionPrevious).map(\.collection)
        if !outdated.isEmpty {
            for text in ProblemText.notices(of: outdated, daemonStatus(), messages, unit: unit) { notice(text) }
        }
    }

    /// Reports an error; returns its exit code. Nothing is printed where the reader of the output has gone.
    func report(_ error: CommandError) -> ExitCode {
        guard let report = errorReport(error) else { return .done }
        try? flush()
        self.report(report)
        return report.code
    }

    /// The report of an error; nil where the reader of the output has gone.
    func errorReport(_ error: CommandError) -> ErrorReport? {
        guard
            var report = ErrorReport(
                error, selector: invocation.selector, filter: filter, limit: limit?.text,
                maxAge: invocation.maxAge?.text, verb: invocation.verb, messages: messages)
        else { return nil }
        if let selector = invocation.selector, report.isAboutSelector, let near = nearestSelector(to: selector.name) {
            report.hint = messages.text(near)
        }
        if let hint = report.hint { report.hint = namingSelectors(hint) }
        return report
    }

    func report(_ report: ErrorReport) {
        if format.isJSON {
            try? console.errors.write(report.json)
        } else {
            let text = report.text(isColored: console.areErrorsColored, width: console.errorWidth)
            try? console.errors.write(text)
        }
    }
}
