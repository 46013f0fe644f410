// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsModel
import ClaimsPlatform
public import ClaimsProtocol

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
    /// The purpose that the daemon is told with each connection; nil for none.
    private let purpose: Purpose?
    /// The filter that was sent, so that an error can point into it.
    public var filter: String?

    private var opened: ClientConnection?
    /// Called for each notification that comes while an answer is awaited, where the request has nothing of its own.
    public var onNotification: ((AnswerValue) -> Void)?
    /// How long the daemon may take, as it was written; nil for the standard.
    private(set) var limit: WrittenSpan?
    /// Whether it was reported that the daemon does not answer.
    private var hasReportedSilence = false
    /// Whether the arguments have been searched for conditions within values.
    private var hasSearchedConditions = false
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
        purpose = try Self.purpose(invocation, surroundings)
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
                        hint: TranslatedText(en: "plots are text", pl: "wykresy są tekstem")))
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

    private static func purpose(
        _ invocation: Invocation, _ surroundings: Surroundings
    ) throws(CommandError) -> Purpose? {
        if let purpose = invocation.purpose { return purpose }
        guard let text = surroundings.environment("CLAIMSCTL_PURPOSE"), !text.isEmpty else { return nil }
        do throws(UsageError) {
            return try ArgumentParser.purpose(text, of: "CLAIMSCTL_PURPOSE")
        } catch {
            throw .usage(error)
        }
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

    /// The unit of the daemon that is asked; nil if it is not known, as on another host.
    public var unit: DaemonUnit? { invocation.host == nil ? DaemonUnit(socket: socketPath) : nil }

    /// The path of the daemon's socket.
    var socketPath: String { invocation.socket ?? SocketPath.standard(surroundings.environment) }

    /// The location of the daemon that the command line means.
    ///
    /// - Parameter isAgain: whether a person has read that the daemon has gone away. Nothing is shown then of what
    ///   ssh says of each attempt.
    private func address(isAgain: Bool) -> DaemonAddress {
        guard let host = invocation.host else { return .socket(socketPath) }
        return .host(reachable(host, isQuiet: format.isJSON || isAgain))
    }

    /// The host with the program that reaches it.
    ///
    /// - Parameter isQuiet: whether what that says is kept for the error, which may have to be one JSON object.
    private func reachable(_ host: RemoteHost, isQuiet: Bool) -> RemoteHost {
        var host = host
        if let program = surroundings.environment("CLAIMSCTL_SSH"), !program.isEmpty { host.program = program }
        host.keepsWords = isQuiet
        return host
    }

    /// The connection; the first call makes it.
    @discardableResult public func connection(
        timeout standard: Duration? = .seconds(30)
    ) throws(CommandError) -> ClientConnection {
        if let opened { return opened }
        limit = try writtenLimit()
        let timeout = limit.map { $0.duration < TimeSpan.infinity ? $0.duration : nil } ?? standard
        do throws(ClientError) {
            let connection = try connect(within: timeout ?? TimeSpan.infinity)
            connection.timeout = timeout
            // The file gets the time of the whole answer.
            connection.isProlongedByParts = limit == nil
            opened = connection
            return connection
        } catch {
            throw .client(error)
        }
    }

    /// The connection; nil before the first request, and after one that lost it.
    public var openConnection: ClientConnection? { opened }

    /// Gives up the connection; the next request makes a new one.
    public func dropConnection() { opened = nil }

    /// Goes on with the connection of another context.
    func adoptConnection(of other: CommandContext) { opened = other.opened }

    /// Gives up a connection that an error has ended.
    func forgetConnection(after error: CommandError) {
        guard case .client(let failure) = error else { return }
        if case .refused = failure { return }
        opened = nil
    }

    /// The time that was written for the whole command has passed: the error names it.
    func timedOut() { limit = invocation.timeout }

    /// Whether the arguments are to be searched for conditions within values: once, unless `-q` was given.
    func beginsConditionSearch() -> Bool {
        defer { hasSearchedConditions = true }
        return !invocation.isQuiet && !hasSearchedConditions
    }

    /// A connection of its own, of which nothing is said where the daemon is silent.
    public func newConnection(timeout: Duration?, isAgain: Bool = false) throws(ClientError) -> ClientConnection {
        speaking(try ClientConnection(address(isAgain: isAgain), timeout: timeout))
    }

    /// The connection, on which the daemon answers in the language of this command and learns its purpose.
    private func speaking(_ connection: ClientConnection) -> ClientConnection {
        connection.language = answerLanguage
        connection.purpose = purpose
        return connection
    }

    /// A connection for hints and completions: without a question for a password, and without notices.
    ///
    /// - Parameters:
    ///   - socket: the path of the socket; nil for the standard one.
    ///   - host: the other host; nil for this one.
    public func quietConnection(
        socket: String?, host: RemoteHost?, timeout: Duration?
    ) throws(ClientError) -> ClientConnection {
        guard let host else { return speaking(try ClientConnection(path: socket ?? socketPath, timeout: timeout)) }
        var quiet = reachable(host, isQuiet: true)
        quiet.isBatch = true
        return speaking(try ClientConnection(.host(quiet), timeout: timeout))
    }

    private func connect(within limit: Duration) throws(ClientError) -> ClientConnection {
        let first = min(limit, surroundings.silenceLimit)
        if invocation.host != nil { return try newConnection(timeout: limit) }
        do throws(ClientError) {
            return speaking(try ClientConnection(path: socketPath, timeout: first))
        } catch {
            guard limit > first, case .unreachable(_, let reason) = error, reason.isTimeout else { throw error }
            reportSilence(messages.queueFull(at: socketPath))
            return speaking(try ClientConnection(path: socketPath, timeout: limit - first))
        }
    }

    /// The result of a request.
    ///
    /// - Parameters:
    ///   - isLong: whether the answer may take long while the daemon is well.
    ///   - whileWaiting: called about ten times a second as long as nothing arrives.
    ///   - onNotification: called for each notification, such as `progress`.
    func answer(
        to number: ClientConnection.RequestNumber, isLong: Bool = false, whileWaiting: (() -> Void)? = nil,
        onNotification: ((AnswerValue) -> Void)? = nil
    ) throws(CommandError) -> AnswerValue {
        let connection = try connection()
        var watch = SilenceWatch(connection, limit: surroundings.silenceLimit, isLong: isLong)
        do throws(ClientError) {
            return try connection.answer(
                to: number,
                whileWaiting: {
                    if !self.hasReportedSilence, let text = watch.inspect(self.messages) { self.reportSilence(text) }
                    whileWaiting?()
                }, onNotification: onNotification ?? self.onNotification)
        } catch {
            throw .client(error)
        }
    }

    private func reportSilence(_ text: String) {
        hasReportedSilence = true
        let end = limit.flatMap { $0.duration < TimeSpan.infinity ? $0.text : nil }
        notice(messages.silence(text, command: unit?.command("status"), limit: end))
    }

    /// Sends a request and waits for its result.
    public func call<Parameters: MethodParameters>(
        _ method: Method, _ parameters: Parameters
    ) throws(CommandError) -> AnswerValue {
        try answer(to: try connection().request(method, parameters))
    }

    /// Records a request for what a collection holds, or, without a name, for what all hold.
    func requestDescription(of collection: String?) throws(CommandError) -> ClientConnection.RequestNumber {
        var parameters = DescribeParameters()
        parameters.collection = collection
        return try connection().request(.describe, parameters)
    }

    /// The collections in the answer to a request of ``requestDescription(of:)``.
    func descriptions(
        _ number: ClientConnection.RequestNumber
    ) throws(CommandError) -> [CollectionDescription] {
        CollectionDescription.all(in: try answer(to: number))
    }
}

extension CommandContext {
    /// The answer to `status`, for hints; nil if there is none.
    func daemonStatus() -> AnswerValue? {
        do throws(CommandError) {
            return try call(.status, StatusParameters())
        } catch _ {
            // A hint is no reason to fail: then it names what the unit lets one guess.
            return nil
        }
    }

    /// The configuration of the daemon, as `status` describes it; costs a request.
    func daemonFiles() -> DaemonFiles { DaemonFiles(daemonStatus(), unit: unit) }
}
