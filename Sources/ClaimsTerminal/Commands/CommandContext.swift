// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

/// The means of a command: the command line, the console, the printer of the format, and the connection, opened when
/// it is first needed.
///
/// ```swift
/// let answer = try context.call(.count, parameters)
/// try context.print(Presentation(answer, rows: rows))
/// ```
final class CommandContext {
    let invocation: Invocation
    let surroundings: Surroundings
    let console: Console
    let format: OutputFormat
    let printer: any Printer
    /// The user's language, where it is known.
    let language: String?
    /// The filter that was sent, so that an error can point into it.
    var filter: String?

    private var opened: ClientConnection?
    /// How long the daemon may take, as it was written; nil for the standard.
    private var limit: WrittenSpan?
    /// Whether it has been said that the daemon does not answer.
    private var hasToldSilence = false
    private let localTime: LazyTime

    init(
        _ invocation: Invocation, _ surroundings: Surroundings, output: Output, errors: Output
    ) throws(CommandError) {
        self.invocation = invocation
        self.surroundings = surroundings
        let given = try Self.format(invocation, surroundings)
        format = given ?? (surroundings.isTerminal(1) ? .table : .tsv)
        console = Console(
            surroundings, output: output, errors: errors, color: invocation.color, isPaged: format.isForPeople)
        let time = LazyTime(surroundings)
        localTime = time
        language = invocation.language.map { Language.code($0) ?? $0 } ?? Language.ofMessages(surroundings.environment)
        printer = format.printer(
            console, time: { time.value }, isAsked: given != nil, wantsUpstream: invocation.wantsUpstream,
            language: language)
    }

    private static func format(
        _ invocation: Invocation, _ surroundings: Surroundings
    ) throws(CommandError) -> OutputFormat? {
        if let format = invocation.output { return format }
        guard let name = surroundings.environment("CLAIMSCTL_OUTPUT"), !name.isEmpty else { return nil }
        guard let format = OutputFormat(rawValue: name) else {
            let all = OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage(UsageError("CLAIMSCTL_OUTPUT '\(name)' is none of \(all)"))
        }
        return format
    }

    var time: LocalTime { localTime.value }

    /// The time zone that the days of a filter are in; UTC goes without saying.
    var zoneParameter: String? {
        let name = surroundings.zoneName()
        return name == "UTC" ? nil : name
    }

    /// The language of labels in data: only one that was asked for by name, so that scripts see the same everywhere.
    var explicitLanguage: String? { invocation.language == nil ? nil : language }

    /// The language of labels in what this format prints.
    var labelLanguage: String? { format.isForPeople ? language : explicitLanguage }
}

/// The user's clock, whose time zone is read only where it is needed.
private final class LazyTime {
    private let surroundings: Surroundings
    private(set) lazy var value = LocalTime(zone: surroundings.zone(), now: surroundings.now())

    init(_ surroundings: Surroundings) {
        self.surroundings = surroundings
    }
}

extension OutputFormat {
    /// The printer of this format.
    ///
    /// - Parameter isAsked: whether the format was asked for, by option or variable.
    fileprivate func printer(
        _ console: Console, time: @escaping () -> LocalTime, isAsked: Bool, wantsUpstream: Bool,
        language: String?
    ) -> any Printer {
        switch self {
        case .table, .wide:
            TextPrinter(
                console, isWide: self == .wide, time: time, wantsUpstream: wantsUpstream, language: language)
        case .json: JSONPrinter(console)
        case .jsonl: JSONLinesPrinter(console)
        case .csv: SeparatedPrinter(console, isCSV: true, isAsked: isAsked)
        case .tsv: SeparatedPrinter(console, isCSV: false, isAsked: isAsked)
        case .name: NamePrinter(console)
        }
    }
}

// Asking the daemon.

extension CommandContext {
    /// The time that was written for the daemon to answer in: `--timeout`, or its variable.
    private func writtenLimit() throws(CommandError) -> WrittenSpan? {
        if let timeout = invocation.timeout { return timeout }
        guard let value = surroundings.environment("CLAIMSCTL_TIMEOUT"), !value.isEmpty else { return nil }
        do throws(UsageError) {
            return try ArgumentParser.span(value, of: "CLAIMSCTL_TIMEOUT")
        } catch {
            throw .usage(error)
        }
    }

    /// The unit of the daemon that is asked; nil if it is not known.
    var unit: DaemonUnit? { DaemonUnit(socket: socketPath) }

    /// The path of the daemon's socket.
    var socketPath: String { invocation.socket ?? SocketPath.standard(surroundings.environment) }

    /// The connection; the first call makes it.
    func connection(timeout standard: Duration? = .seconds(30)) throws(CommandError) -> ClientConnection {
        if let opened { return opened }
        limit = try writtenLimit()
        let timeout = limit.map { $0.duration < TimeSpan.infinity ? $0.duration : nil } ?? standard
        do throws(ClientError) {
            let connection = try connect(within: timeout ?? TimeSpan.infinity)
            connection.timeout = timeout
            opened = connection
            return connection
        } catch {
            throw .client(error)
        }
    }

    /// A connection of its own, of which nothing is said where the daemon is silent.
    ///
    /// - Parameter socket: the path of the socket; nil for the one that the command line means.
    func newConnection(socket: String? = nil, timeout: Duration?) throws(ClientError) -> ClientConnection {
        try ClientConnection(path: socket ?? socketPath, timeout: timeout)
    }

    private func connect(within limit: Duration) throws(ClientError) -> ClientConnection {
        let first = min(limit, surroundings.silenceLimit)
        do throws(ClientError) {
            return try ClientConnection(path: socketPath, timeout: first)
        } catch {
            guard limit > first, case .unreachable(_, let reason) = error, reason.isTimeout else { throw error }
            tellSilence("the daemon accepts no connection at \(socketPath), because its queue is full")
            return try ClientConnection(path: socketPath, timeout: limit - first)
        }
    }

    /// The result of a request.
    ///
    /// - Parameters:
    ///   - isLong: whether the answer may take long while the daemon is well.
    ///   - whileWaiting: called about ten times a second as long as nothing arrives.
    func answer(
        to number: ClientConnection.RequestNumber, isLong: Bool = false, whileWaiting: (() -> Void)? = nil
    ) throws(CommandError) -> AnswerValue {
        let connection = try connection()
        var watch = SilenceWatch(connection, path: socketPath, limit: surroundings.silenceLimit, isLong: isLong)
        do throws(ClientError) {
            return try connection.answer(to: number) {
                if !self.hasToldSilence, let text = watch.look() { self.tellSilence(text) }
                whileWaiting?()
            }
        } catch {
            throw .client(error)
        }
    }

    private func tellSilence(_ text: String) {
        hasToldSilence = true
        let end = limit.map { $0.duration < TimeSpan.infinity ? " for \($0.text)" : "" } ?? ""
        let command = unit.map { "; to see how it is: \($0.command("status"))" } ?? ""
        notice("claimsctl: \(text)\(command); waiting on\(end)")
    }

    /// Sends a request and waits for its result.
    func call<Parameters: MethodParameters>(
        _ method: Method, _ parameters: Parameters
    ) throws(CommandError) -> AnswerValue {
        try answer(to: try connection().request(method, parameters))
    }

    /// Notes a request for what a collection holds, or, without a name, for what all hold.
    func requestDescription(of collection: String?) throws(CommandError) -> ClientConnection.RequestNumber {
        var parameters = DescribeParameters()
        parameters.collection = collection
        parameters.language = language
        return try connection().request(.describe, parameters)
    }

    /// The collections in the answer to a request of ``requestDescription(of:)``.
    func descriptions(
        _ number: ClientConnection.RequestNumber
    ) throws(CommandError) -> [CollectionDescription] {
        CollectionDescription.all(in: try answer(to: number))
    }
}

// Printing.

extension CommandContext {
    /// Prints a result, in the format that was asked for.
    func print(_ presentation: Presentation) throws(CommandError) {
        try printing { () throws(OutputError) in try printer.print(presentation) }
    }

    /// Does what prints something; its error becomes the command's.
    func printing(_ body: () throws(OutputError) -> Void) throws(CommandError) {
        do throws(OutputError) { try body() } catch { throw .output(error) }
    }

    /// Prints what has been gathered, so that what follows on standard error comes after it.
    func flush() throws(CommandError) {
        try printing { () throws(OutputError) in try console.flush() }
    }

    /// One line on standard error, unless `-q` was given.
    func notice(_ text: String) {
        if !invocation.isQuiet { console.notice(text) }
    }

    /// Says of each collection that is not fresh how it stands, and of those left out why.
    func noticeFreshness(_ value: AnswerValue?) {
        if !invocation.isQuiet { noticeFreshness(CollectionMeta.all(in: value), CollectionMeta.skipped(in: value)) }
    }

    func noticeFreshness(_ metas: [CollectionMeta], _ skipped: [(collection: String, reason: String)] = []) {
        for meta in metas {
            // The user's time zone is read only where there is something to say.
            if meta.freshness == nil || meta.freshness == "fresh" && !meta.isAbandoned { continue }
            if let text = FreshnessLine(time, labelLanguage).text(meta) { notice(text) }
        }
        if let text = LeftOut.text(skipped, labelLanguage) { notice(text) }
    }

    /// Says what went wrong; nothing where nobody reads any more.
    func report(_ error: CommandError) -> ExitCode {
        guard
            let report = ErrorReport(
                error, selector: invocation.selector, filter: filter, limit: limit?.text,
                maxAge: invocation.maxAge?.text, language: labelLanguage)
        else { return .done }
        try? flush()
        self.report(report)
        return report.code
    }

    func report(_ report: ErrorReport) {
        if format.isJSON {
            try? console.errors.write(report.json)
        } else {
            let width = console.isErrorTerminal ? console.width : nil
            try? console.errors.write(report.text(isColored: console.areErrorsColored, width: width))
        }
    }
}
