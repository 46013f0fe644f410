// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

// Operations on their way to an upstream.

extension PlainBrowser {
    private typealias Operation = OutboxResult.Operation

    /// Lists the operations in which something is still to happen, newest first, as the screen does.
    func showOutbox() {
        var coming: [AnswerValue] = []
        var total: Int64 = 0
        for state in OutboxState.states {
            var parameters = OutboxParameters()
            parameters.state = state
            parameters.language = context.language
            parameters.limit = OutboxState.maxOperations
            guard let answer = asking({ () throws(CommandError) in try verbs.call(.outbox, parameters) }) else {
                return
            }
            let page = answer[OutboxResult.operations]
            coming += page
            total += answer[OutboxResult.total] ?? Int64(page.count)
        }
        leave()
        let operations = OutboxState.merged(coming)
        self.operations = operations
        guard !operations.isEmpty else { return tell(messages.outboxIsEmpty) }
        tell("\(messages.outboxTitle): \(messages.number(max(total, Int64(operations.count))))")
        for (index, operation) in operations.enumerated() { tell("\(index + 1). \(line(about: operation))") }
    }

    /// `documents 7; update; rejected; The server answered 422; 3 min`
    private func line(about operation: AnswerValue) -> String {
        let (op, id) = (operation[Operation.op], operation[Operation.id] ?? "")
        var parts = ["\(operation[Operation.collection] ?? "") \(id == op ? messages.newRecord : id)"]
        parts.append(messages.word(operation[Operation.action] ?? ""))
        parts.append(messages.state(operation[Operation.state] ?? ""))
        if let message = operation[Operation.message] ?? operation[Operation.reason] { parts.append(message) }
        if let next = instant(operation[Operation.nextTry]) {
            parts.append(messages.nextRefresh(time.relative(next), isAnotherTry: true))
        }
        if let submitted = instant(operation[Operation.submittedAt]) { parts.append(time.relative(submitted)) }
        return parts.map(Escaping.line).joined(separator: "; ")
    }

    private func instant(_ value: AnswerValue?) -> Int64? {
        value?.string.flatMap { Instant.parse($0)?.ms }
    }

    /// Lists the ways on for an operation, asks which, and goes it.
    func outboxVerbs(_ numbers: [Int], _ words: String) {
        guard let operations, let number = numbers.first, numbers.count == 1 else { return tell(messages.whichRecord) }
        guard operations.indices.contains(number - 1) else { return tell(messages.noNumber(String(number))) }
        let operation = operations[number - 1]
        let op = operation[Operation.op] ?? ""
        let ways = OutboxVerb.offered(for: operation)
        guard !ways.isEmpty else { return tell(messages.noActions) }
        guard let index = chosen(among: ways.map { "\(messages.title(of: $0)): \(messages.note(of: $0))" }) else {
            return
        }
        if ways[index] == .correct { return correct(operation, op) }
        var arguments = ways[index].arguments + ["--", op]
        if ways[index] == .done, operation[Operation.action] == "create" {
            guard let id = answer(to: "\(messages.upstreamID): ") else { return }
            if !id.isEmpty { arguments = ways[index].arguments + ["--id", id, "--", op] }
        }
        if ways[index] == .drop || ways[index] == .again,
            !confirms(messages.question(ways[index], String(op.prefix(8))))
        {
            return
        }
        if verbs.run(["outbox"] + arguments) == .done { showOutbox() }
    }

    /// Asks for other values of an operation, and tries it again with them.
    private func correct(_ operation: AnswerValue, _ op: String) {
        let name = operation[Operation.collection]
        guard let description = collections.first(where: { $0.name == name }),
            let action = description.writes?.action(operation[Operation.action] ?? "")
        else { return tell(messages.notOffered) }
        var parameters = OutboxParameters()
        parameters.action = .get
        parameters.ops = NameList([op])
        parameters.language = context.language
        guard let answer = asking({ () throws(CommandError) in try verbs.call(.outbox, parameters) }) else { return }
        var form = PlainForm(
            action, of: description, record: answer[OutboxResult.operations].first?[Operation.values], messages)
        tell(messages.formHelp)
        guard ask(form.fields, &form), !form.values.isEmpty else { return tell(messages.leftForm) }
        parameters.action = .retry
        parameters.fields = FieldValues(form.values)
        guard let answer = asking({ () throws(CommandError) in try verbs.call(.outbox, parameters) }) else { return }
        tell(messages.outcome(of: .retry, answer).text)
        showOutbox()
    }
}

extension OutboxVerb {
    /// The ways on for an operation; giving up is the last.
    static func offered(for operation: AnswerValue) -> [OutboxVerb] {
        typealias Operation = OutboxResult.Operation
        guard let state = operation[Operation.state].flatMap(OperationState.init(rawValue:)) else { return [] }
        let allowed = allCases.filter { $0.isAllowed(state, attempts: operation[Operation.attempts] ?? 0) }
        return allowed.filter { $0 != .drop } + allowed.filter { $0 == .drop }
    }

    /// The words behind `outbox` on a command line; a correction is a retry with values.
    var arguments: [String] {
        switch self {
        case .retry, .correct: ["retry"]
        case .hold: ["hold"]
        case .drop: ["drop"]
        case .mine: ["resolve", "--as", "mine"]
        case .done: ["resolve", "--as", "done"]
        case .again: ["resolve", "--as", "again"]
        }
    }
}
