// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let outbox = Verb(
        "outbox", summary: "look after operations that go to an upstream",
        synopsis: "[SELECTOR] [list | get | wait | retry | hold | drop | resolve] [OP…] [FIELD=VALUE…]",
        details: """
            Lists the operations that are to go to an upstream, the newest first; an operation can be named by its first
            8 characters if these are unique. get shows operations with their values, the last answer and the attempts;
            wait ends once none is queued or being sent, with exit code 11 where one is stuck.

            hold keeps an operation back, retry sends it again (retry OP FIELD=VALUE… with corrected values), drop gives
            it up. resolve --as mine repeats it over the record as it is now, after a conflict; --as done says that the
            upstream has it (with --id ID for a new record), and --as again sends once more what is uncertain.
            """,
        examples: [
            "outbox", "outbox --book --state stuck", "outbox get 0192f3a1", "outbox retry 0192f3a1 pages=128",
            "outbox resolve 0192f3a1 --as done --id 77",
        ],
        options: [.limit, .all, .state, .as, .id], terms: .words(OutboxAction.allCases.map(\.rawValue)))
}

/// `outbox`: operations that are to go to upstreams.
struct OutboxCommand {
    private let context: CommandContext
    private let action: OutboxAction
    private let terms: [Term]

    /// The number of operations that a terminal shows.
    private static let screenful = 50

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let command = try OutboxCommand(context)
        switch command.action {
        case .list: return try command.list()
        case .get: return try command.get()
        case .wait: return try command.wait()
        case .retry, .hold, .drop, .resolve: return try command.change()
        }
    }

    private init(_ context: CommandContext) throws(CommandError) {
        self.context = context
        let terms = context.invocation.terms
        let word = terms.first?.text ?? OutboxAction.list.rawValue
        guard let action = OutboxAction(rawValue: word) else {
            let all = OutboxAction.allCases.map(\.rawValue)
            let near = Suggestion.nearest(word, among: all)
            throw .usage(
                UsageError(
                    "'\(word)' is none of \(all.joined(separator: ", "))",
                    hint: near.map { "did you mean '\($0)'?" } ?? Verb.outbox.helpHint))
        }
        self.action = action
        self.terms = Array(terms.dropFirst())
        let options = context.invocation
        if action == .list, !self.terms.isEmpty {
            throw .usage(UsageError("'list' takes no operations", hint: "to see one: claimsctl outbox get OP"))
        }
        if action != .resolve, options.writing.resolution != nil || options.id != nil {
            throw .usage(UsageError("--as and --id belong to: outbox resolve"))
        }
        if action == .resolve, options.writing.resolution == nil {
            throw .usage(UsageError("'resolve' needs --as mine, --as done or --as again", hint: Verb.outbox.helpHint))
        }
    }

    private func parameters(_ action: OutboxAction) -> OutboxParameters {
        var parameters = OutboxParameters()
        parameters.action = action
        parameters.collection = context.invocation.selector?.name
        parameters.state = context.invocation.writing.state
        parameters.language = context.language
        return parameters
    }

    private func list() throws(CommandError) -> ExitCode {
        let invocation = context.invocation
        if invocation.limit != nil, invocation.wantsAll {
            throw .usage(UsageError("--limit and --all contradict each other"))
        }
        let showsAll = invocation.wantsAll || !context.console.isTerminal
        var remaining = invocation.limit ?? (showsAll ? .max : Self.screenful)
        var parameters = parameters(.list)
        var result = PagedResult(of: String(describing: OutboxResult.operations.name))
        while true {
            parameters.limit = Int64(min(remaining, PageParameters.maxLimit))
            let answer = try context.call(.outbox, parameters)
            remaining -= min(remaining, result.append(answer))
            if let next = answer[OutboxResult.next], remaining > 0 {
                parameters.cursor = next
                continue
            }
            try context.print(result) { present(result.elements, in: &$0) }
            try context.flush()
            if context.console.isTerminal { context.notice(Self.tally(result.elements.count, answer)) }
            for origin in answer[OutboxResult.paused] { context.notice(OutboxLines.line(paused: origin, context.time)) }
            return .done
        }
    }

    /// Adds the forms of a list of operations.
    private func present(_ operations: [AnswerValue], in presentation: inout Presentation) {
        let layout = OutboxRows(context.time)
        let rows = layout.rows(operations)
        presentation.rows = rows
        presentation.text = { options in
            guard let width = options.width else { return rows.text(width: nil, isColored: options.isColored) }
            return layout.table(operations, width: width, isColored: options.isColored)
        }
    }

    private static func tally(_ shown: Int, _ answer: AnswerValue) -> String {
        let total = answer[OutboxResult.total] ?? Int64(shown)
        let all = total == 0 ? "no operations" : Numbers.count(total, "operation", "operations")
        return Int64(shown) < total ? "\(shown) of \(all); --all shows the rest" : all
    }

    private func get() throws(CommandError) -> ExitCode {
        var parameters = parameters(.get)
        parameters.ops = NameList(try requiredOps())
        let answer = try context.call(.outbox, parameters)
        let operations: [AnswerValue] = answer[OutboxResult.operations]
        let rows = OutboxRows(context.time)
        var presentation = Presentation(answer, rows: rows.rows(operations))
        presentation.text = { options in
            operations.map { rows.text($0, width: options.lineWidth, isColored: options.isColored) }
                .joined(separator: "\n")
        }
        let whole = presentation
        try context.print(whole)
        try context.flush()
        return missing(answer) ?? .done
    }

    private func wait() throws(CommandError) -> ExitCode {
        let ops = try terms.isEmpty ? underWay() : requiredOps()
        guard !ops.isEmpty else {
            context.notice("no operation is queued or being sent")
            return .done
        }
        let states = try OperationWait(context).states(of: ops)
        let operations = ops.compactMap { states[$0] }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key(OutboxResult.operations)
        writer.beginArray()
        for operation in operations { writer.raw(Array(operation.source.utf8)) }
        writer.endArray()
        writer.endObject()
        var presentation = Presentation(try AnswerValue.made(writer))
        present(operations, in: &presentation)
        let whole = presentation
        try context.print(whole)
        try context.flush()
        let stuck = operations.filter { operation in
            operation[OutboxResult.Operation.state].flatMap { OperationState(rawValue: $0) }?.isStuck ?? false
        }
        guard stuck.isEmpty else {
            let list = stuck.compactMap { $0[OutboxResult.Operation.op] }.prefix(20).joined(separator: ", ")
            context.report(
                ErrorReport(
                    .upstreamFailed, kind: ErrorKind.upstreamFailed.rawValue,
                    message:
                        "\(Numbers.count(Int64(stuck.count), "operation needs", "operations need")) attention: \(list)",
                    hint: "to look at one: claimsctl outbox get OP"))
            return .upstreamFailed
        }
        return .done
    }

    /// The operations of the line's collection that are queued or being sent.
    private func underWay() throws(CommandError) -> [String] {
        var found: [String] = []
        for state in [OperationState.queued, .sending] {
            found += try OperationNames(context).all(state: state.rawValue)
        }
        return found
    }

    private func change() throws(CommandError) -> ExitCode {
        var parameters = parameters(action)
        let (ops, fields) = try split()
        if !ops.isEmpty { parameters.ops = NameList(try OperationNames(context).whole(ops)) }
        guard parameters.ops != nil || parameters.collection != nil || parameters.state != nil else {
            throw .usage(
                UsageError(
                    "'\(action.rawValue)' needs operations",
                    hint: "for example: claimsctl outbox \(action.rawValue) 0192f3a1; or a selector, with --state"))
        }
        parameters.fields = fields
        parameters.resolution = context.invocation.writing.resolution
        parameters.id = context.invocation.id.map { RecordID($0) }
        let answer = try context.call(.outbox, parameters)
        var rows = TableRows(["op", "outcome"].map { ($0, TableColumn(heading: $0.uppercased())) })
        for op in answer[OutboxResult.changed] {
            rows.append([(op.text, Cell(op.text)), ("changed", Cell("changed"))])
        }
        var refused: [String] = []
        for entry in answer[OutboxResult.refused] {
            let op = entry[OutboxResult.Refused.op] ?? ""
            let state = entry[OutboxResult.Refused.state] ?? ""
            refused.append("\(op) (\(state))")
            rows.append([(op, Cell(op)), ("refused", Cell("refused: \(state)"))])
        }
        let shown = rows
        var presentation = Presentation(answer, rows: rows)
        presentation.names = answer[OutboxResult.changed].map(\.text)
        presentation.text = { options in
            shown.isEmpty ? "nothing was changed\n" : shown.text(width: options.width, isColored: options.isColored)
        }
        let whole = presentation
        try context.print(whole)
        try context.flush()
        if !refused.isEmpty {
            let list = refused.prefix(20).joined(separator: ", ")
            context.report(
                ErrorReport(
                    .conflict, kind: ErrorKind.conflict.rawValue,
                    message: "the state of these does not allow '\(action.rawValue)', or they are not yours: \(list)"))
            return .conflict
        }
        return missing(answer) ?? .done
    }

    /// The operations of the line, and for `retry` the corrected values.
    private func split() throws(CommandError) -> (ops: [String], fields: FieldValues?) {
        let assignments = terms.filter { GivenValues.assignment($0.text) != nil }
        let ops = terms.filter { GivenValues.assignment($0.text) == nil }.map(\.text)
        guard !assignments.isEmpty else { return (ops, nil) }
        guard action == .retry, ops.count == 1 else {
            throw .usage(UsageError("values are for 'retry' of one operation", hint: Verb.outbox.helpHint))
        }
        let op = try OperationNames(context).whole(ops)
        var request = OutboxParameters()
        request.action = .get
        request.ops = NameList(op)
        let operations = try context.call(.outbox, request)[OutboxResult.operations]
        let collection = operations.first?[OutboxResult.Operation.collection] ?? context.invocation.selector?.name
        guard let collection,
            let description = try context.descriptions(
                try context.requestDescription(of: collection)
            ).first
        else { throw .failed(.notFound, kind: "not_found", message: "no such operation: \(op.joined())") }
        let given = try GivenValues(assignments, of: description, isMixed: false, context)
        return (op, FieldValues(given.fields))
    }

    private func requiredOps() throws(CommandError) -> [String] {
        guard !terms.isEmpty else {
            throw .usage(
                UsageError(
                    "'\(action.rawValue)' needs an operation",
                    hint: "for example: claimsctl outbox \(action.rawValue) 0192f3a1"))
        }
        return try OperationNames(context).whole(terms.map(\.text))
    }

    private func missing(_ answer: AnswerValue) -> ExitCode? {
        let missing = answer[OutboxResult.missing].map(\.text)
        guard !missing.isEmpty else { return nil }
        context.report(
            ErrorReport(
                .notFound, kind: ErrorKind.notFound.rawValue,
                message: "no such operation: \(missing.prefix(20).joined(separator: ", "))"))
        return .notFound
    }
}
