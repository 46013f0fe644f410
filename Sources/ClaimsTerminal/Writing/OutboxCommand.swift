// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let outbox = Verb(
        "outbox",
        summary: TranslatedText(
            en: "look after operations that go to an upstream",
            pl: "opiekuje się operacjami, które idą do serwera"),
        synopsis: "[SELECTOR] [list | get | wait | retry | hold | drop | resolve] [OP…] [FIELD=VALUE…]",
        details: TranslatedText(
            en: """
                Lists the operations that are to go to an upstream or that need somebody, the newest first; with --all,
                settled ones too, and all pages. An operation can be named by its beginning, of at least 8 characters,
                if no other begins so. get shows operations with their values, the last answer and the attempts; wait
                ends when no operation is queued or being sent, and with 11 if one is stuck.

                hold keeps an operation back, retry sends it again (retry OP FIELD=VALUE… with corrected values), drop
                gives it up. resolve --as mine repeats it over the record as it is now, after a conflict; --as done
                says that the upstream has it (with --id ID for a new record), and --as again sends once more what is
                uncertain.
                """,
            pl: """
                Wymienia operacje, które mają pójść do serwera albo wymagają uwagi, najnowsze najpierw; z --all także
                rozstrzygnięte, na wszystkich stronach. Operację można podać przez jej początek, co najmniej 8 znaków,
                jeśli żadna inna tak się nie zaczyna. get pokazuje operacje z wartościami, ostatnią odpowiedzią i
                próbami; wait kończy się, gdy żadna nie czeka i nie jest wysyłana, a z kodem 11, gdy któraś utknęła.

                hold wstrzymuje operację, retry wysyła ją ponownie (retry OP FIELD=VALUE… z poprawionymi wartościami),
                drop z niej rezygnuje. resolve --as mine powtarza ją po konflikcie na rekordzie w obecnej postaci;
                --as done stwierdza, że serwer ją ma (z --id ID dla nowego rekordu), a --as again wysyła jeszcze raz
                to, co niepewne.
                """),
        options: [.limit, .all, .state, .as, .id], terms: .words(OutboxAction.allCases.map(\.rawValue)))
}

/// `outbox`: operations that are to go to upstreams.
struct OutboxCommand {
    let context: CommandContext
    let action: OutboxAction
    let terms: [Term]

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
            throw .usage(.none(word, of: OutboxAction.allCases.map(\.rawValue), .outbox))
        }
        self.action = action
        self.terms = Array(terms.dropFirst())
        let options = context.invocation
        if action == .list, !self.terms.isEmpty {
            throw .usage(
                UsageError(
                    en: "'list' takes no operations", pl: "„list” nie przyjmuje operacji",
                    hint: TranslatedText(
                        en: "to see one: claimsctl outbox get OP", pl: "aby zobaczyć jedną: claimsctl outbox get OP")))
        }
        if action != .resolve, options.writing.resolution != nil || options.id != nil {
            throw .usage(
                UsageError(en: "--as and --id belong to: outbox resolve", pl: "--as i --id należą do: outbox resolve"))
        }
        if action == .resolve, options.writing.resolution == nil {
            throw .usage(
                UsageError(
                    en: "'resolve' needs --as mine, --as done or --as again",
                    pl: "„resolve” wymaga --as mine, --as done lub --as again", hint: Verb.outbox.helpHint))
        }
    }

    func parameters(_ action: OutboxAction) -> OutboxParameters {
        var parameters = OutboxParameters()
        parameters.action = action
        parameters.collection = context.invocation.selector?.name
        parameters.state = context.invocation.writing.state
        return parameters
    }

    private func list() throws(CommandError) -> ExitCode {
        let invocation = context.invocation
        if invocation.limit != nil, invocation.wantsAll {
            throw .usage(.contradiction("--limit", "--all"))
        }
        let showsAll = invocation.wantsAll || !context.console.isTerminal
        var remaining = invocation.limit ?? (showsAll ? .max : Self.screenful)
        var parameters = parameters(.list)
        if parameters.state == nil, !invocation.wantsAll { parameters.state = OutboxParameters.unsettled }
        var result = PagedResult(of: String(describing: OutboxResult.operations.name))
        while true {
            parameters.limit = Int64(min(remaining, PageParameters.maxLimit))
            let answer = try context.call(.outbox, parameters)
            remaining -= min(remaining, result.append(answer))
            if let next = answer[OutboxResult.next], remaining > 0 {
                parameters.cursor = next
                continue
            }
            // Beginnings must name them among those that are not shown, too.
            let isWhole = answer[OutboxResult.next] == nil && invocation.writing.state == nil
            let known = isWhole || !context.console.isTerminal ? [] : try OperationNames(context).unsettled()
            try context.print(result) { present(result.elements, among: known, in: &$0) }
            try context.flush()
            if context.console.isTerminal { context.notice(tally(result.elements.count, answer)) }
            for origin in answer[OutboxResult.paused] { context.notice(OutboxLines.line(paused: origin, context.time)) }
            return .done
        }
    }

    /// Adds the forms of a list of operations.
    ///
    /// - Parameter known: the UUIDs of other operations, which no beginning that is shown may stand for.
    func present(_ operations: [AnswerValue], among known: [String] = [], in presentation: inout Presentation) {
        let layout = layout(of: operations)
        let rows = layout.rows(operations)
        presentation.rows = rows
        presentation.text = { options in
            guard let width = options.width else { return rows.text(width: nil, isColored: options.isColored) }
            return layout.table(operations, among: known, width: width, isColored: options.isColored)
        }
    }

    /// The layout of operations, with the titles of actions where people read them.
    private func layout(of operations: [AnswerValue]) -> OutboxRows {
        guard context.format.isForPeople, OutboxRows.needsTitles(operations),
            let collections = try? context.descriptions(context.requestDescription(of: nil))
        else { return OutboxRows(context.time) }
        return OutboxRows(context.time, collections: collections)
    }

    private func tally(_ shown: Int, _ answer: AnswerValue) -> String {
        let messages = context.messages
        let total = answer[OutboxResult.total] ?? Int64(shown)
        if total == 0 { return messages.none(.operations) }
        guard Int64(shown) < total else { return messages.count(total, .operations) }
        return messages.more(Int64(shown), of: total, .operations, hasLimit: context.invocation.limit != nil)
    }

    private func get() throws(CommandError) -> ExitCode {
        var parameters = parameters(.get)
        parameters.ops = NameList(try requiredOps())
        let answer = try context.call(.outbox, parameters)
        let operations: [AnswerValue] = answer[OutboxResult.operations]
        let rows = layout(of: operations)
        var presentation = Presentation(answer, rows: rows.rows(operations))
        presentation.text = { options in
            operations.map { rows.text($0, width: options.lineWidth, isColored: options.isColored) }
                .joined(separator: "\n")
        }
        try context.print(presentation)
        try context.flush()
        return missing(answer) ?? .done
    }

    func requiredOps() throws(CommandError) -> [String] {
        guard !terms.isEmpty else {
            throw .usage(
                UsageError(
                    en: "'\(action.rawValue)' needs an operation", pl: "„\(action.rawValue)” wymaga operacji",
                    hint: .example("claimsctl outbox \(action.rawValue) 0192f3a1")))
        }
        return try OperationNames(context).whole(terms.map(\.text))
    }

    func missing(_ answer: AnswerValue) -> ExitCode? {
        let missing = answer[OutboxResult.missing].map(\.text)
        guard !missing.isEmpty else { return nil }
        context.report(
            ErrorReport(
                .notFound, kind: ErrorKind.notFound.rawValue,
                message: context.messages.noOperation(missing.prefix(20).joined(separator: ", "))))
        return .notFound
    }
}

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
                    hint: TranslatedText.example("claimsctl outbox \(action.rawValue) 0192f3a1").joined(
                        "; ", TranslatedText(en: "or a selector, with --state", pl: "albo wskaż kolekcję, z --state"))))
        }
        parameters.fields = fields
        parameters.resolution = context.invocation.writing.resolution
        parameters.id = context.invocation.id.map { RecordID($0) }
        let answer = try context.call(.outbox, parameters)
        let messages = context.messages
        var rows = TableRows([
            ("op", LayoutColumn(heading: messages.heading(.op))),
            ("outcome", LayoutColumn(heading: messages.heading(.outcome))),
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
                message: TranslatedText(
                    en: "no such operation: \(op.joined())", pl: "nie ma takiej operacji: \(op.joined())"))
        }
        let given = try GivenValues(assignments, of: description, isMixed: false, context)
        return (op, FieldValues(given.fields))
    }
}
