// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsPlatform

/// One run of claimsctl: what was asked, how to answer, and the connection, opened when it is first needed.
final class Session {
    let invocation: Invocation
    let surroundings: Surroundings
    let output: Output
    let errors: Output
    /// Standard output is a terminal.
    let isTerminal: Bool
    let format: OutputFormat
    /// `-o` or its variable was given.
    let isFormatGiven: Bool
    let isColored: Bool
    /// The user's language, where it is known.
    let language: String?
    let screen: Screen
    /// The filter that was sent, so that an error can point into it.
    var filter: String?

    private var opened: Connection?
    private var cachedTime: LocalTime?

    init(
        _ invocation: Invocation, _ surroundings: Surroundings, output: Output, errors: Output
    ) throws(CommandError) {
        self.invocation = invocation
        self.surroundings = surroundings
        self.output = output
        self.errors = errors
        isTerminal = surroundings.isTerminal(1)
        let given = try Self.format(invocation, surroundings)
        isFormatGiven = given != nil
        format = given ?? (isTerminal ? .table : .tsv)
        isColored = Self.wantsColor(invocation.color, isTerminal: isTerminal, surroundings)
        language = invocation.language.map { Language.code($0) ?? $0 } ?? Language.ofMessages(surroundings.environment)
        screen = Screen(
            output, surroundings, isInteractive: isTerminal && format.isForPeople && surroundings.isTerminal(0))
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

    /// Colour only on a terminal, and not where NO_COLOR is set (no-color.org); what is asked for goes before both.
    static func wantsColor(_ mode: ColorMode, isTerminal: Bool, _ surroundings: Surroundings) -> Bool {
        switch mode {
        case .always: return true
        case .never: return false
        case .auto:
            if let value = surroundings.environment("NO_COLOR"), !value.isEmpty { return false }
            return isTerminal && surroundings.environment("TERM") != "dumb"
        }
    }

    var time: LocalTime {
        if let cachedTime { return cachedTime }
        let time = LocalTime(zone: surroundings.zone(), now: surroundings.now())
        cachedTime = time
        return time
    }

    /// The time zone that the days of a filter are in; UTC goes without saying.
    var zoneParameter: String? {
        let name = surroundings.zoneName()
        return name == "UTC" ? nil : name
    }

    /// The language of labels in data: only one that was asked for by name, so that scripts see the same everywhere.
    var explicitLanguage: String? {
        invocation.language == nil ? nil : language
    }

    /// How wide a line may be. Into a pipe the same, so that what is pasted looks as it did.
    var width: Int { surroundings.width }
}

extension Session {
    /// How long the daemon may take: `--timeout`, its variable, or `standard`.
    func timeout(standard: Duration?) throws(CommandError) -> Duration? {
        if let timeout = invocation.timeout { return .milliseconds(timeout) }
        if let value = surroundings.environment("CLAIMSCTL_TIMEOUT"), !value.isEmpty {
            do throws(UsageError) {
                return .milliseconds(try ArgumentParser.span(value, of: "CLAIMSCTL_TIMEOUT"))
            } catch {
                throw .usage(error)
            }
        }
        return standard
    }

    /// The connection; the first call makes it.
    func connection(timeout standard: Duration? = .seconds(30)) throws(CommandError) -> Connection {
        if let opened { return opened }
        let path = invocation.socket ?? SocketPath.standard(surroundings.environment)
        let timeout = try timeout(standard: standard)
        do throws(ClientError) {
            let connection = try Connection(path: path, timeout: timeout)
            opened = connection
            return connection
        } catch {
            throw .client(error)
        }
    }

    /// The result of a request.
    func answer(
        to id: Connection.RequestID, whileWaiting: (() -> Void)? = nil
    ) throws(CommandError) -> AnswerValue {
        let connection = try connection()
        do throws(ClientError) {
            return try connection.answer(to: id, whileWaiting: whileWaiting)
        } catch {
            throw .client(error)
        }
    }
}
