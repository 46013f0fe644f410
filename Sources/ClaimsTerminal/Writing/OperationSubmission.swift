// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

/// Submits operations, waits for them where that is asked for, and prints what became of them.
///
/// Each operation has a UUID that is made here, so that one whose answer was lost is submitted again without harm.
final class OperationSubmission {
    private let context: CommandContext
    private let collection: String
    private let description: CollectionDescription?
    private var results: [OperationOutcome] = []
    /// The files that were sent for the operations, for the text of a dry run.
    var files: [UploadedFile] = []
    /// The files that the record loses.
    var detached = DetachedFiles()
    /// The width of a preview that does not go to a terminal, in cells: no value is broken into lines.
    private static let plainWidth = 1 << 20

    /// The error of the first operation that was refused; the others were submitted all the same.
    private var failure: ExitCode?

    init(_ context: CommandContext, collection: String, _ description: CollectionDescription?) {
        self.context = context
        self.collection = collection
        self.description = description
    }

    /// The parameters of an operation of this line.
    func parameters(
        _ action: String, id: String? = nil, fields: JSONObject = JSONObject()
    ) -> SubmitParameters {
        var parameters = SubmitParameters()
        parameters.collection = collection
        parameters.action = action
        parameters.id = id.map { RecordID($0) }
        if !fields.isEmpty { parameters.fields = FieldValues(fields) }
        if !files.isEmpty { parameters.attach = NameList(files.map(\.upload)) }
        if !detached.references.isEmpty { parameters.detach = NameList(detached.references) }
        parameters.op = context.invocation.writing.op
        parameters.timeZone = context.zoneParameter
        return parameters
    }

    /// The answer that an operation would have.
    func preview(_ parameters: SubmitParameters) throws(CommandError) -> AnswerValue {
        var parameters = parameters
        parameters.isDryRun = true
        return try context.call(.submit, parameters)
    }

    /// Whether the operation of `--op` is known already, as this action on this record; its state is printed then.
    ///
    /// Names and numbers of files are those of the record as it was before that operation, so that nothing can be sent
    /// again with them.
    func isRepeated(_ action: String, on reference: RecordReference) throws(CommandError) -> Bool {
        let writing = context.invocation.writing
        guard let op = writing.op, !context.invocation.isDryRun, !writing.detach.allSatisfy(DetachedFiles.isHash) else {
            return false
        }
        var parameters = OutboxParameters()
        parameters.action = .get
        parameters.ops = NameList([op])
        typealias Entry = OutboxResult.Operation
        let known = try context.call(.outbox, parameters)[OutboxResult.operations].first { operation in
            operation[Entry.op]?.lowercased() == op.lowercased() && operation[Entry.action] == action
                && operation[Entry.id] == reference.id
                && operation[Entry.collection] == description?.name ?? reference.collection
        }
        guard let known else { return false }
        results.append(OperationOutcome(try OperationOutcome.repeated(known)))
        return true
    }

    /// Submits an operation, or with `--dry-run` only asks what would become of it.
    func submit(_ parameters: SubmitParameters) throws(CommandError) {
        var parameters = parameters
        parameters.isDryRun = context.invocation.isDryRun
        if parameters.op == nil, !parameters.isDryRun {
            let random = (RandomBytes.integer(), RandomBytes.integer())
            parameters.op = OperationID(time: SystemClock.wall, random: random).text
        }
        do throws(CommandError) {
            results.append(OperationOutcome(try context.call(.submit, parameters)))
        } catch {
            guard case .client(.closed(mayBeDone: true)) = error, !parameters.isDryRun else { throw error }
            results.append(OperationOutcome(try submitAgain(parameters)))
        }
    }

    /// Submits one of several operations. A refusal is reported, and the others are submitted all the same.
    func submitEach(_ parameters: SubmitParameters) throws(CommandError) {
        do throws(CommandError) {
            try submit(parameters)
        } catch {
            guard case .client(.refused(let refusal)) = error, Self.isAboutRecord(refusal) else { throw error }
            let code = context.report(error, about: parameters.id?.text)
            if failure == nil { failure = code }
        }
    }

    private static func isAboutRecord(_ refusal: Refusal) -> Bool {
        switch ErrorKind(rawValue: refusal.kind) {
        case .notFound, .conflict, .notAllowed, .invalid: true
        default: false
        }
    }

    /// Submits the same operation on a new connection. The daemon recognizes one that has arrived before by its UUID.
    private func submitAgain(_ parameters: SubmitParameters) throws(CommandError) -> AnswerValue {
        context.dropConnection()
        do throws(CommandError) {
            return try context.call(.submit, parameters)
        } catch {
            guard case .client(let reason) = error, case .unreachable = reason else { throw error }
            throw .failed(
                .unreachable, kind: "unreachable",
                message: TranslatedText(
                    en: "the daemon went away before it answered; the operation may have been submitted",
                    pl: "demon zniknął przed odpowiedzią; operacja mogła zostać złożona"),
                hint: TranslatedText(
                    en: "to repeat it safely, add: --op \(parameters.op ?? "")",
                    pl: "aby bezpiecznie powtórzyć, dodaj: --op \(parameters.op ?? "")"))
        }
    }

    /// Waits if `--wait` asks for it, prints the operations, and returns the exit code.
    func finish() throws(CommandError) -> ExitCode {
        if context.invocation.waits, !context.invocation.isDryRun { try wait() }
        if !results.isEmpty { try print() }
        try context.flush()
        for result in results where context.invocation.waits {
            if let report = result.stuckReport(context.messages) {
                context.report(report)
                if failure == nil { failure = report.code }
            }
        }
        return failure ?? .done
    }

    private func wait() throws(CommandError) {
        let waiting = results.filter(\.isUnderWay)
        guard !waiting.isEmpty else { return }
        let isQuiet = context.invocation.isQuiet || context.format.isJSON
        if !isQuiet, context.console.isErrorTerminal {
            for result in waiting { context.notice(context.messages.submittedWaiting(result.op)) }
            // The outcome comes last, however soon the upstream answers.
            try? context.console.errors.flush()
        }
        let states = try OperationWait(context).states(of: waiting.map(\.op))
        for index in results.indices {
            if let state = states[results[index].op] { results[index].update(state) }
        }
    }

    private func print() throws(CommandError) {
        let isDryRun = context.invocation.isDryRun
        var rows = TableRows(["id", "op", "state"].map { ($0, LayoutColumn(heading: $0)) })
        for result in results {
            let state = isDryRun ? "dry_run" : result.state
            rows.append([(result.id, Cell(result.id)), (result.op, Cell(result.op)), (state, Cell(state))])
        }
        let previewed = isDryRun ? files : []
        var presentation = Presentation(
            try results.map { result throws(CommandError) in try result.answer(with: previewed) }, rows: rows)
        presentation.names = results.map(\.id)
        presentation.isDryRun = isDryRun
        let (results, collection, description) = (results, collection, description)
        let (time, fileLines) = (context.time, files.map { $0.line(context.messages) })
        let takenLines = detached.lines
        func preview(width: Int, isColored: Bool) -> String {
            results.map { result in
                PreviewText(result.source, description, time: time)
                    .text(width: width, isColored: isColored, fileLines: fileLines, takenLines: takenLines)
            }.joined(separator: "\n") + time.messages.dryRunSubmit
        }
        // A pipe gets it too: the id and the operation of what was not submitted are of no use.
        if isDryRun { presentation.plain = Array(preview(width: Self.plainWidth, isColored: false).utf8) }
        presentation.text = { options in
            if isDryRun { return preview(width: options.lineWidth, isColored: options.isColored) + "\n" }
            return results.map { result in
                result.line(
                    collection: description?.singular ?? collection, width: options.lineWidth, options.messages)
            }.joined()
        }
        try context.print(presentation)
    }
}

extension CommandContext {
    /// Reports an error about one of several records; returns its exit code.
    fileprivate func report(_ error: CommandError, about id: String?) -> ExitCode {
        guard var report = ErrorReport(error, messages: messages) else { return .done }
        if let id, report.problems.isEmpty { report.message = "\(id): \(report.message)" }
        try? flush()
        self.report(report)
        return report.code
    }
}

/// An operation that was submitted: the answer to it, and the state that it has by now.
struct OperationOutcome {
    /// The result of `submit`.
    let source: AnswerValue
    let op: String
    /// The id of the record; that of a new one is `op` until the upstream gives it one.
    private(set) var id: String
    let action: String
    private(set) var state: String
    /// The words about the state, if the daemon has sent any.
    private var message: String?
    /// The operation before it that waits for a person.
    private var stuckBehind: String?

    init(_ answer: AnswerValue) {
        source = answer
        op = answer[SubmitResult.op] ?? ""
        id = answer[SubmitResult.id] ?? ""
        action = answer[SubmitResult.action] ?? ""
        state = answer[SubmitResult.state] ?? ""
    }

    /// The answer to a repeated `submit`, made of an operation that `outbox` lists.
    static func repeated(_ operation: AnswerValue) throws(CommandError) -> AnswerValue {
        typealias Entry = OutboxResult.Operation
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(SubmitResult.op, operation[Entry.op] ?? "")
        writer.member(SubmitResult.id, operation[Entry.id] ?? "")
        writer.member(SubmitResult.action, operation[Entry.action] ?? "")
        writer.member(SubmitResult.state, operation[Entry.state] ?? "")
        writer.member(SubmitResult.changed, operation[Entry.fields].map(\.text))
        writer.member(SubmitResult.isRepeated, true)
        writer.endObject()
        return try AnswerValue.made(writer)
    }

    private var known: OperationState? { OperationState(rawValue: state) }

    /// Whether the upstream has still to say something.
    var isUnderWay: Bool { known == .queued || known == .sending }

    /// Reads the state of an operation in the answer of `outbox`.
    mutating func update(_ operation: AnswerValue) {
        state = operation[OutboxResult.Operation.state] ?? state
        id = operation[OutboxResult.Operation.id] ?? id
        message = operation[OutboxResult.Operation.message]
        stuckBehind = operation[OutboxResult.Operation.stuckBehind]
    }

    /// The result with the present state and id, as JSON shows it.
    ///
    /// - Parameter files: the files that go along with what is only tried; the daemon's preview has none.
    func answer(with files: [UploadedFile] = []) throws(CommandError) -> AnswerValue {
        let isChanged = state != source[SubmitResult.state] || id != source[SubmitResult.id]
        guard isChanged || !files.isEmpty else { return source }
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in source.members {
            writer.key(name)
            if name == "\(SubmitResult.state.name)" {
                writer.string(state)
            } else if name == "\(SubmitResult.id.name)" {
                writer.string(id)
            } else {
                writer.raw(Array(value.source.utf8))
            }
        }
        if !files.isEmpty {
            writer.key("files")
            writer.beginArray()
            for file in files { file.write(to: &writer) }
            writer.endArray()
        }
        writer.endObject()
        return try AnswerValue.made(writer)
    }

    /// The report about an operation that ended its wait without success; nil for any other.
    func stuckReport(_ messages: Messages) -> ErrorReport? {
        if let stuckBehind {
            return ErrorReport(
                .upstreamFailed, kind: ErrorKind.upstreamFailed.rawValue,
                message: messages.recordWaits(id, for: stuckBehind), hint: messages.lookAtOperation(stuckBehind))
        }
        guard let known, known.isStuck || known == .dropped else { return nil }
        let reason = message.map { ": \($0)" } ?? ""
        return ErrorReport(
            .upstreamFailed, kind: ErrorKind.upstreamFailed.rawValue,
            message: messages.recordOperation(id, messages.operation(state)) + reason,
            hint: known == .dropped ? nil : messages.lookAtOperation(op))
    }

    /// The outcome for people, a newline after it.
    func line(collection: String, width: Int, _ messages: Messages) -> String {
        let changed = source[SubmitResult.changed].map(\.text)
        if action == "update", changed.isEmpty, known == .done {
            return "\(Escaping.line(collection)) \(Escaping.line(id)): \(messages.nothingDiffers)\n"
        }
        // A stuck operation has changed nothing there, so that only the operation is printed.
        let isStuck = known?.isStuck == true || known == .dropped
        var text = isStuck ? "\(collection) \(id)" : "\(messages.done(action)) \(collection) \(id)"
        if action == "update", !changed.isEmpty { text += ": " + changed.joined(separator: ", ") }
        if source[SubmitResult.isRepeated] == true { text += " (\(messages.submittedBefore))" }
        // A new record has the name of its operation until the upstream gives it an id.
        if id != op { text += "; \(messages.operationNamed(op))" }
        // The outcome comes last.
        text += known == .done ? "" : "; \(messages.operation(state))"
        return Fitting.hang(Escaping.line(text), to: max(20, width), indent: 2) + "\n"
    }
}

/// Waits until operations are accepted or stuck, with a line on the terminal that shows how far they are.
struct OperationWait {
    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    /// Returns the operations as `outbox` lists them, once none is queued or sending, by their UUIDs.
    ///
    /// - Throws: `ClientError.timedOut` where `--timeout` ends first.
    func states(of ops: [String]) throws(CommandError) -> [String: AnswerValue] {
        let start = SystemClock.monotonic
        var line = ProgressLine(context)
        defer { line.clear() }
        let messages = context.messages
        var words = messages.waitingForUpstream
        while true {
            var parameters = OutboxParameters()
            parameters.action = .wait
            parameters.ops = NameList(ops)
            // The daemon bounds each wait; without --timeout the next one follows.
            let connection = try context.connection(timeout: nil)
            connection.timeout = context.limit?.duration
            do throws(CommandError) {
                _ = try context.answer(
                    to: connection.request(.outbox, parameters), isLong: true,
                    whileWaiting: {
                        line.show("\(words) … \((SystemClock.monotonic - start) / 1_000_000_000) s")
                    },
                    onNotification: { notification in
                        if let told = Self.words(notification, messages) { words = told }
                    })
                return try operations(ops)
            } catch {
                guard case .client(.refused(let refusal)) = error, refusal.kind == ErrorKind.timeout.rawValue,
                    context.limit == nil
                else { throw error }
            }
        }
    }

    private func operations(_ ops: [String]) throws(CommandError) -> [String: AnswerValue] {
        var parameters = OutboxParameters()
        parameters.action = .get
        parameters.ops = NameList(ops)
        var found: [String: AnswerValue] = [:]
        for operation in try context.call(.outbox, parameters)[OutboxResult.operations] {
            if let op = operation[OutboxResult.Operation.op] { found[op] = operation }
        }
        return found
    }

    /// How far an operation is: `sending 1.2 MiB of 3.0 MiB, file 2 of 3`.
    private static func words(_ notification: AnswerValue, _ messages: Messages) -> String? {
        guard notification["method"]?.string == ProgressNotification.method, let params = notification["params"],
            let sent = params[ProgressNotification.sent], let size = params[ProgressNotification.size]
        else { return nil }
        var number: (Int64, Int64)?
        if let file = params[ProgressNotification.file], let files = params[ProgressNotification.files] {
            number = (Int64(file), Int64(files))
        }
        return messages.sendingOperation(Int64(sent), of: Int64(size), file: number)
    }
}
