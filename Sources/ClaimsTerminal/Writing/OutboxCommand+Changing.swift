// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol

// The verbs of `outbox` that wait for operations, or change them.
extension OutboxCommand {
    func wait() throws(CommandError) -> ExitCode {
        let ops = try terms.isEmpty ? underWay() : requiredOps()
        guard !ops.isEmpty else {
            context.notice(context.messages.nothingUnderWay)
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
        try context.print(presentation)
        try context.flush()
        let stuck = operations.filter { operation in
            operation[OutboxResult.Operation.stuckBehind] != nil
                || operation[OutboxResult.Operation.state].flatMap { OperationState(rawValue: $0) }?.isStuck ?? false
        }
        guard stuck.isEmpty else {
            let list = stuck.compactMap { $0[OutboxResult.Operation.op] }.prefix(20).joined(separator: ", ")
            context.report(
                ErrorReport(
                    .upstreamFailed, kind: ErrorKind.upstreamFailed.rawValue,
                    message: context.messages.needAttention(stuck.count, list), hint: context.messages.lookAtOne))
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

    func change() throws(CommandError) -> ExitCode {
        var parameters = parameters(action)
        let (ops, fields) = try split()
        if !ops.isEmpty { parameters.ops = NameList(try OperationNames(context).whole(ops)) }
        guard parameters.ops != nil || parameters.collection != nil || parameters.state != nil else {
            throw .usage(
                UsageError(
                    en: "'\(action.rawValue)' needs operations", pl: "„\(action.rawValue)” wymaga operacji",
                    hint: ErrorText.example("claimsctl outbox \(action.rawValue) 0192f3a1").joined(
                        "; ", ErrorText(en: "or a selector, with --state", pl: "albo wskaż kolekcję, z --state"))))
        }
        parameters.fields = fields
        parameters.resolution = context.invocation.writing.resolution
        parameters.id = context.invocation.id.map { RecordID($0) }
        let answer = try context.call(.outbox, parameters)
        let messages = context.messages
        var rows = TableRows([
            ("op", TableColumn(heading: messages.heading(.op))),
            ("outcome", TableColumn(heading: messages.heading(.outcome))),
        ])
        for op in answer[OutboxResult.changed] {
            rows.append([(op.text, Cell(op.text)), ("changed", Cell(messages.word("changed")))])
        }
        var refused: [String] = []
        for entry in answer[OutboxResult.refused] {
            let op = entry[OutboxResult.Refused.op] ?? ""
            let state = entry[OutboxResult.Refused.state] ?? ""
            refused.append("\(op) (\(messages.word(state)))")
            rows.append([(op, Cell(op)), ("refused", Cell(messages.refused(messages.word(state))))])
        }
        let shown = rows
        var presentation = Presentation(answer, rows: rows)
        presentation.names = answer[OutboxResult.changed].map(\.text)
        presentation.text = { options in
            shown.isEmpty
                ? messages.nothingChanged + "\n" : shown.text(width: options.width, isColored: options.isColored)
        }
        try context.print(presentation)
        try context.flush()
        if !refused.isEmpty {
            let list = refused.prefix(20).joined(separator: ", ")
            context.report(
                ErrorReport(
                    .conflict, kind: ErrorKind.conflict.rawValue,
                    message: context.messages.stateForbids(action.rawValue, list), hint: wayOn(answer)))
            return .conflict
        }
        if action == .retry { try noteWaiting(answer[OutboxResult.changed].map(\.text)) }
        return missing(answer) ?? .done
    }

    /// Says of operations that were to be tried at once which ones wait for others all the same.
    private func noteWaiting(_ ops: [String]) throws(CommandError) {
        guard !ops.isEmpty, !context.invocation.isQuiet else { return }
        typealias Operation = OutboxResult.Operation
        var parameters = parameters(.get)
        (parameters.collection, parameters.state) = (nil, nil)
        parameters.ops = NameList(ops)
        for operation in try context.call(.outbox, parameters)[OutboxResult.operations] {
            let stuck = operation[Operation.stuckBehind]
            guard let op = operation[Operation.op], let other = stuck ?? operation[Operation.waitsFor] else { continue }
            context.notice(context.messages.stillWaits(op, for: other, isStuck: stuck != nil))
        }
    }

    /// The command that goes on with the first refused operation where `retry` never does.
    private func wayOn(_ answer: AnswerValue) -> String? {
        guard [.retry, .resolve, .hold].contains(action) else { return nil }
        for entry in answer[OutboxResult.refused] {
            guard let op = entry[OutboxResult.Refused.op] else { continue }
            let state = entry[OutboxResult.Refused.state].flatMap { OperationState(rawValue: $0) }
            let facts = state.map { DecisionFacts($0, wasSent: true) }
            if facts?.allows(.resolveMine) == true { return context.messages.resolves(op, isConflict: true) }
            // Whether any other may have been done is not seen from its state.
            if facts?.allows(.resolveAgain) == true || !entry[OutboxResult.Refused.resolve].isEmpty {
                return context.messages.resolves(op, isConflict: false)
            }
        }
        return nil
    }

    /// The operations of the line, and for `retry` the corrected values.
    private func split() throws(CommandError) -> (ops: [String], fields: FieldValues?) {
        let assignments = terms.filter { GivenValues.assignment($0.text) != nil }
        let ops = terms.filter { GivenValues.assignment($0.text) == nil }.map(\.text)
        guard !assignments.isEmpty else { return (ops, nil) }
        guard action == .retry, ops.count == 1 else {
            throw .usage(
                UsageError(
                    en: "values are for 'retry' of one operation", pl: "wartości są dla „retry” jednej operacji",
                    hint: Verb.outbox.helpHint))
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
        else {
            throw .failed(
                .notFound, kind: "not_found",
                message: ErrorText(
                    en: "no such operation: \(op.joined())", pl: "nie ma takiej operacji: \(op.joined())"))
        }
        let given = try GivenValues(assignments, of: description, isMixed: false, context)
        return (op, FieldValues(given.fields))
    }
}
