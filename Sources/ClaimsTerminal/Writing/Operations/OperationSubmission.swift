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
        context.opened = nil
        do throws(CommandError) {
            return try context.call(.submit, parameters)
        } catch {
            guard case .client(let reason) = error, case .unreachable = reason else { throw error }
            throw .failed(
                .unreachable, kind: "unreachable",
                message: ErrorText(
                    en: "the daemon went away before it answered; the operation may have been submitted",
                    pl: "demon zniknął przed odpowiedzią; operacja mogła zostać złożona"),
                hint: ErrorText(
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
        var rows = TableRows(["id", "op", "state"].map { ($0, TableColumn(heading: $0)) })
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
        // A pipe gets it too: the id and the operation of what was not submitted tell nothing.
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
