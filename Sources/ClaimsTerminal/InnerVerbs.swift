// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsModel
import ClaimsPlatform
public import ClaimsProtocol

/// The verbs of claimsctl within a verb that is a conversation: they share its connection, its output and its input.
///
/// All that they print, errors and questions included, goes to the one output in its order, as plain text.
///
/// ```swift
/// let verbs = InnerVerbs(context, output: output, nextLine: { input.line() })
/// verbs.run(["refresh", "--collection", "books", "--wait"])
/// ```
public final class InnerVerbs {
    private let outer: CommandContext
    private let output: Output
    private let nextLine: () -> String?

    /// - Parameters:
    ///   - outer: the context of the conversation.
    ///   - nextLine: returns the next line of its input; nil at the end.
    public init(_ outer: CommandContext, output: Output, nextLine: @escaping () -> String?) {
        self.outer = outer
        self.output = output
        self.nextLine = nextLine
    }

    /// Runs a command line, from its verb on, and prints what comes of it.
    @discardableResult public func run(_ words: [String]) -> ExitCode {
        do throws(CommandError) {
            return try obey(words)
        } catch {
            report(error)
            return ErrorReport(error, messages: outer.messages)?.code ?? .done
        }
    }

    /// Runs `refresh --wait` with further words, and shows how far it is; returns its answer, or nil after an error,
    /// which is printed.
    public func refresh(_ words: [String]) -> AnswerValue? {
        do throws(CommandError) {
            var answer: AnswerValue?
            _ = try perform(["refresh", "--wait"] + words) { inner throws(CommandError) in
                answer = try RefreshCommand.answer(inner)
                return .done
            }
            return answer
        } catch {
            report(error)
            return nil
        }
    }

    private func obey(_ words: [String]) throws(CommandError) -> ExitCode {
        try perform(words) { inner throws(CommandError) in
            try CommandTable.action(of: inner.invocation.verb)?(inner) ?? .usage
        }
    }

    /// Reads a command line, and runs `body` with its context; what it throws is printed.
    private func perform(
        _ words: [String], _ body: (CommandContext) throws(CommandError) -> ExitCode
    ) throws(CommandError) -> ExitCode {
        let outcome: ArgumentParser.Outcome
        do throws(UsageError) {
            outcome = try ArgumentParser.parse(words, verbs: CommandTable.parsed)
        } catch {
            throw .usage(error)
        }
        guard case .run(var invocation) = outcome, invocation.verb != .browse else { return .usage }
        let given = outer.invocation
        invocation.language = given.language
        (invocation.host, invocation.socket, invocation.timeout) = (given.host, given.socket, given.timeout)
        invocation.color = .never
        invocation.output = invocation.output ?? .table
        var surroundings = outer.surroundings
        // Plain text: no pager, no progress line, no colour. Questions are answered all the same.
        surroundings.isTerminal = { _ in false }
        surroundings.isConversation = true
        surroundings.nextLine = nextLine
        let inner = try CommandContext(invocation, surroundings, output: output, errors: output)
        inner.adoptConnection(of: outer)
        inner.onNotification = outer.onNotification
        defer { outer.adoptConnection(of: inner) }
        do throws(CommandError) {
            return try body(inner)
        } catch {
            inner.forgetConnection(after: error)
            return inner.report(error)
        }
    }

    /// Prints an error of the conversation.
    ///
    /// - Parameter filter: the filter that was sent, so that a mistake in it is shown.
    public func report(_ error: CommandError, filter: String? = nil) {
        outer.forgetConnection(after: error)
        guard
            let report = ErrorReport(
                error, selector: nil, filter: filter, limit: nil, maxAge: nil, messages: Messages(outer.language))
        else { return }
        try? output.write(report.text(isColored: false, width: outer.surroundings.terminalSize()?.columns))
    }

    /// The result of a request. A connection that is lost is forgotten, so that the next request makes another one; a
    /// request that changes nothing is made once more at once, as the daemon may have been started again meanwhile.
    ///
    /// - Parameter isPreview: whether the request changes nothing, although others of its method do.
    public func call<Parameters: MethodParameters>(
        _ method: Method, _ parameters: Parameters, isPreview: Bool = false
    ) throws(CommandError) -> AnswerValue {
        do throws(CommandError) {
            return try attempt(method, parameters)
        } catch {
            guard case .client(.closed(let mayBeDone)) = error, isPreview || !mayBeDone else { throw error }
            return try attempt(method, parameters)
        }
    }

    private func attempt<Parameters: MethodParameters>(
        _ method: Method, _ parameters: Parameters
    ) throws(CommandError) -> AnswerValue {
        do throws(CommandError) {
            return try outer.call(method, parameters)
        } catch {
            outer.forgetConnection(after: error)
            throw error
        }
    }

    /// The text of a preview of `submit`, with the files that go along.
    public func preview(
        _ answer: AnswerValue, of description: CollectionDescription, fileLines: [String], takenLines: [String] = []
    ) -> String {
        PreviewText(answer, description, time: outer.time)
            .text(width: outer.surroundings.width, isColored: false, fileLines: fileLines, takenLines: takenLines)
    }

    /// Sends a file for an operation; returns the name of the upload and a line about the file.
    public func upload(_ path: String, to collection: String) throws(CommandError) -> (upload: String, line: String) {
        let file = try FileUpload(outer, collection: collection).send(path)
        return (file.upload, "\(file.name), \(file.type), \(outer.messages.size(file.size))")
    }
}
