// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsJSON
public import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import Glibc

/// The report of an error, as text or as one JSON object, with the exit code of the program.
public struct ErrorReport: Equatable, Sendable {
    /// The exit code of the program.
    public var code: ExitCode
    /// The kind of the error, for programs: one of the protocol, or one of claimsctl such as `usage`.
    public var kind: String
    /// The reason as one sentence for people.
    public var message: String
    /// The line above the problems, where there are any; nil for ``message``.
    private var heading: String?
    /// A suggestion what to do; nil if there is none.
    public var hint: String?
    /// The text of the filter that the error is in; nil for any other error.
    public var filter: String?
    /// The byte offset in the filter at which the problem begins.
    public var position: Int?
    /// The number of bytes of the filter that the problem covers.
    public var length: Int?
    /// The problems of the values and files that were submitted, each a line of the report.
    public var problems: [FieldProblemText] = []
    /// The filter that a record must match for the action; nil for any other error.
    public var condition: String?
    /// The values that are not as they were expected; empty for any other error.
    public var differences: [ValueDifference] = []
    /// The delay after which a further attempt makes sense, in milliseconds.
    public var retryAfter: Int64?

    /// Whether an option that selects a collection selects none, and resembles no other option.
    private(set) var isAboutSelector = false

    /// Makes a report without a filter.
    public init(_ code: ExitCode, kind: String, message: String, hint: String? = nil) {
        self.code = code
        self.kind = kind
        self.message = message
        self.hint = hint
    }

    /// Makes the report about ids that have no record; the message names at most 20 of them.
    public init(_ code: ExitCode, missing ids: [String], _ messages: Messages) {
        self.init(code, kind: ErrorKind.notFound.rawValue, message: messages.noRecord(ids))
    }

    /// Makes the report of a command's error; `nil` if the reader of the output has gone, which is no error.
    ///
    /// - Parameters:
    ///   - selector: the selector of the command line, for a hint about a misspelt option.
    ///   - filter: the text of the filter that was sent, for the position of an error in it.
    ///   - limit: the time that the daemon was given, as it was written; nil for the standard.
    ///   - maxAge: the maximum age of the data, as it was written; nil if any age will do.
    ///   - verb: the verb, whose options a hint may name; nil for those of all verbs.
    ///   - messages: the table of messages, in the language in which the daemon was asked to answer.
    public init?(
        _ error: CommandError, selector: Selector? = nil, filter: String? = nil, limit: String? = nil,
        maxAge: String? = nil, verb: Verb? = nil, messages: Messages
    ) {
        switch error {
        case .usage(let usage):
            self.init(
                .usage, kind: "usage", message: messages.text(usage.message), hint: usage.hint.map(messages.text))
        case .output(let failure):
            guard let text = failure.text else { return nil }
            self.init(.failure, kind: "output", message: messages.text(text), hint: failure.hint.map(messages.text))
        case .invalid(let problems):
            self.init(.invalid, kind: ErrorKind.invalid.rawValue, message: problems.first?.line ?? "")
            self.problems = problems
            heading = messages.nothingSubmittedInvalid
        case .failed(let code, let kind, let message, let hint):
            self.init(code, kind: kind, message: messages.text(message), hint: hint.map(messages.text))
        case .client(.refused(let refusal)):
            self.init(refusal, selector: selector, filter: filter, verb: verb, messages)
            if refusal.kind == ErrorKind.notFresh.rawValue, let maxAge,
                let meta = AnswerMeta(refusal.data?[Member<Meta>.meta])
            {
                message = FreshnessLine.tooOld(meta, maxAge: maxAge, messages)
            }
        case .client(let failure):
            self.init(failure, limit: limit, messages)
        }
    }

    private init(_ failure: ClientError, limit: String?, _ messages: Messages) {
        switch failure {
        case .unreachable(let path, let error):
            let isForbidden = error.errno == EACCES || error.errno == EPERM
            self.init(
                isForbidden ? .forbidden : error.errno == ETIMEDOUT ? .timeout : .unreachable,
                kind: isForbidden ? "forbidden" : "unreachable",
                message: messages.unreachable(path, messages.text(error.reasonText)),
                hint: SocketAdvice.hint(path: path, errno: error.errno).map(messages.text))
        case .closed(let mayBeDone):
            self.init(.unreachable, kind: "unreachable", message: messages.closed(mayBeDone: mayBeDone))
        case .hostFailed(let failure):
            self.init(failure, messages)
        case .timedOut(let time):
            self.init(
                .timeout, kind: "timeout", message: messages.noAnswer(within: limit ?? TimeSpan.text(of: time)),
                hint: messages.toWaitLonger)
        case .malformed(let text):
            self.init(.failure, kind: "protocol", message: messages.text(text))
        case .refused(let refusal):
            self.init(refusal, selector: nil, filter: nil, verb: nil, messages)
        }
    }

    private init(_ refusal: Refusal, selector: Selector?, filter: String?, verb: Verb?, _ messages: Messages) {
        self.init(ExitCode(kind: refusal.kind), kind: refusal.kind, message: refusal.message, hint: refusal.hint)
        retryAfter = refusal.retryAfter
        position = refusal.position
        length = refusal.length
        problems = FieldProblemText.all(in: refusal.data)
        if !problems.isEmpty { heading = messages.nothingSubmittedInvalid }
        if refusal.kind == ErrorKind.conflict.rawValue {
            differences = ValueDifference.all(in: refusal.data, messages)
        }
        if refusal.kind == ErrorKind.notAllowed.rawValue {
            condition = refusal.data?["\(OperationErrorData.filter)"]?.string
        }
        if refusal.kind == ErrorKind.badFilter.rawValue {
            if refusal.position != nil { self.filter = filter }
            hint = hint.map { Advice.forShell($0, takesText: verb?.takes(.text) ?? true) }
        }
        // A definition with mistakes is the reason, not the option.
        let mistakes: [AnswerValue] = refusal.data?[StatusResult.problems] ?? []
        if refusal.kind == ErrorKind.unknownCollection.rawValue, let selector, selector.isOption, mistakes.isEmpty {
            let usage = ArgumentParser.unknownOption(selector.name, of: verb)
            message = messages.andNoCollection(messages.text(usage.message))
            hint = usage.hint.map(messages.text) ?? refusal.hint
            isAboutSelector = usage.hint == nil
        }
        if refusal.kind == ErrorKind.notFresh.rawValue {
            let meta = AnswerMeta(refusal.data?[Member<Meta>.meta])
            hint = Advice.forOldData(meta, messages) ?? refusal.hint
        }
        if refusal.kind == ErrorKind.noData.rawValue {
            let meta = AnswerMeta(refusal.data?[Member<Meta>.meta])
            hint = Advice.forNoData(meta, messages) ?? refusal.hint
        }
    }

    /// The report for people: the message, the filter with the problem underlined, and the hint.
    ///
    /// - Parameter width: the width of a line in cells, to wrap at; nil for no wrapping.
    public func text(isColored: Bool, width: Int? = nil) -> String {
        func lines(_ text: String) -> [String] {
            let text = Escaping.line(text)
            return width.map { Fitting.wrap(text, to: max(20, $0 - 2)) } ?? [text]
        }
        let first = heading ?? message
        var text = lines("claimsctl: \(first)").joined(separator: "\n  ") + "\n"
        for problem in problems { text += "  " + lines(problem.line).joined(separator: "\n    ") + "\n" }
        for difference in differences { text += "  " + lines(difference.line).joined(separator: "\n    ") + "\n" }
        if let filter, let position { text += underlined(filter, at: position, width: width, isColored: isColored) }
        if let hint { text += lines(hint).map { "  \($0)\n" }.joined() }
        return text
    }

    /// The cells of a filter that are shown where a line has no width.
    private static let maxFilterCells = 400

    /// The filter with what is wrong underlined; of a long one the part around that.
    private func underlined(_ filter: String, at position: Int, width: Int?, isColored: Bool) -> String {
        let bytes = Array(filter.utf8)
        let start = min(max(0, position), bytes.count)
        let end = min(bytes.count, start + max(1, min(length ?? 1, bytes.count)))
        var before = Escaping.line(String(decoding: bytes[..<start], as: UTF8.self))
        var inside = Escaping.line(String(decoding: bytes[start..<end], as: UTF8.self))
        var after = Escaping.line(String(decoding: bytes[end...], as: UTF8.self))
        let room = max(20, (width ?? Self.maxFilterCells) - 3)
        if DisplayWidth.cells(of: before + inside + after) > room {
            inside = Fitting.truncate(inside, to: room / 2)
            let rest = room - DisplayWidth.cells(of: inside)
            before = Fitting.truncateStart(before, to: max(rest / 2, rest - DisplayWidth.cells(of: after)))
            after = Fitting.truncate(after, to: rest - DisplayWidth.cells(of: before))
        }
        let carets = String(repeating: "^", count: max(1, DisplayWidth.cells(of: inside)))
        let indent = String(repeating: " ", count: 2 + DisplayWidth.cells(of: before))
        return "  \(before)\(inside)\(after)\n\(indent)\(Style.warning.apply(to: carets, isColored: isColored))\n"
    }

    /// The report as one JSON object, `{"schema_version":…,"error":{…}}`, with a newline after it.
    ///
    /// Standard error is a terminal often, so what is unsafe there is escaped.
    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("schema_version", JSONLayout.schemaVersion)
        writer.key("error")
        writer.beginObject()
        writer.member("kind", kind)
        writer.member("message", message)
        if let filter { writer.member("filter", filter) }
        if let position { writer.member("position", position) }
        if let length { writer.member("length", length) }
        if let hint { writer.member("hint", hint) }
        if let retryAfter { writer.member("retry_after_ms", retryAfter) }
        if !problems.isEmpty {
            writer.key(OperationErrorData.errors)
            writer.beginArray()
            for problem in problems { problem.write(to: &writer) }
            writer.endArray()
        }
        if let condition { writer.member(OperationErrorData.filter, condition) }
        if !differences.isEmpty { ValueDifference.write(differences, to: &writer) }
        writer.member("exit_code", code.rawValue)
        writer.endObject()
        writer.endObject()
        writer.newline()
        return JSONLayout.terminalSafe(writer.bytes)
    }
}

/// The reason why a command did not succeed.
public enum CommandError: Error {
    case usage(UsageError)
    case client(ClientError)
    case output(OutputError)
    /// Values on the command line that are none of their type.
    case invalid([FieldProblemText])
    /// A failure that the command itself found, with the exit code and the words of its report.
    case failed(ExitCode, kind: String, message: TranslatedText, hint: TranslatedText? = nil)
}

extension ErrorReport {
    /// Makes the report about another host whose daemon could not be reached.
    ///
    /// The words of ssh stand in the message, unless it was shown before.
    init(_ failure: HostFailure, _ messages: Messages) {
        let host = failure.host
        var hint: String?
        var message: String
        switch failure.cause {
        case .notStarted(let program, let error):
            message = messages.notStarted(program, reaching: host, messages.text(error.reasonText))
            hint = messages.otherProgram
        case .ended(.exited(4)): message = messages.noDaemon(on: host)
        case .ended(.exited(127)):
            message = messages.noClaimsctl(on: host)
            hint = messages.claimsctlInPath
        case .ended(.exited(255)): message = messages.hostUnreachable(host)
        case .ended(let status): message = messages.connectionEnded(host, code: status.code)
        case .noise(let line):
            message = messages.noise(of: host, Self.beginning(of: line))
            hint = messages.loginScript
        }
        if let words = failure.words.map(Self.joined), !words.isEmpty { message += " (\(words))" }
        self.init(.unreachable, kind: "unreachable", message: message, hint: hint)
    }

    /// The lines of what a program said, as one.
    private static func joined(_ words: String) -> String {
        words.split(whereSeparator: \.isNewline).map { String($0).trimmingSpaces() }.filter { !$0.isEmpty }
            .joined(separator: "; ")
    }

    /// The maximum number of characters that are shown of a line.
    private static let maxLineLength = 200

    private static func beginning(of line: String) -> String {
        line.count > maxLineLength ? line.prefix(maxLineLength) + "…" : line
    }
}

extension CommandError {
    /// The end of a command whose user has said no.
    static func declined(en: String, pl: String) -> CommandError {
        .failed(.failure, kind: "declined", message: TranslatedText(en: en, pl: pl))
    }

    /// The error of an input that cannot be read or used.
    static func input(en: String, pl: String) -> CommandError {
        .failed(.failure, kind: "input", message: TranslatedText(en: en, pl: pl))
    }
}
