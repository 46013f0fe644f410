// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol

/// Operations as rows of a table, and one of them with all there is to know of it.
struct OutboxRows {
    private typealias Operation = OutboxResult.Operation

    private let time: LocalTime
    private let collections: [CollectionDescription]
    private var messages: Messages { time.messages }

    /// - Parameter collections: those of the operations, for the titles of their own actions.
    init(_ time: LocalTime, collections: [CollectionDescription] = []) {
        self.time = time
        self.collections = collections
    }

    /// Whether operations have actions that only a collection's description has a title for.
    static func needsTitles(_ operations: [AnswerValue]) -> Bool {
        operations.contains { operation in
            guard case .named = OperationAction(operation[Operation.action] ?? "") else { return false }
            return true
        }
    }

    /// The operations as rows, with all that a list shows.
    func rows(_ operations: [AnswerValue]) -> TableRows {
        var rows = TableRows([
            ("op", LayoutColumn(heading: messages.heading(.op))),
            ("collection", LayoutColumn(heading: messages.heading(.collection))),
            ("id", LayoutColumn(heading: messages.heading(.id))),
            ("action", LayoutColumn(heading: messages.heading(.action))),
            ("state", LayoutColumn(heading: messages.heading(.state))),
            ("message", LayoutColumn(heading: messages.heading(.message), lines: 3, isElastic: true)),
            ("attempts", LayoutColumn(heading: messages.heading(.tried), isRight: true)),
            ("next_try", LayoutColumn(heading: messages.heading(.nextTry))),
            ("submitted_at", LayoutColumn(heading: messages.heading(.submitted))),
        ])
        for operation in operations {
            rows.append([
                same(operation[Operation.op] ?? ""), same(operation[Operation.collection] ?? ""),
                same(operation[Operation.id] ?? ""), action(of: operation),
                state(of: operation), same(message(of: operation)),
                same(operation[Operation.attempts].map { String($0) } ?? ""),
                instant(operation[Operation.nextTry]?.string), instant(operation[Operation.submittedAt]?.string),
            ])
        }
        return rows
    }

    /// The lines of a message, so that the time of the next try at its end is not cut.
    private static let maxMessageLines = 8

    /// The operations as a table that fits a terminal. Of each UUID it has as much as no other one begins with.
    func table(_ operations: [AnswerValue], among known: [String] = [], width: Int, isColored: Bool) -> String {
        var table = TextTable([
            LayoutColumn(heading: messages.heading(.op), kind: .id),
            LayoutColumn(heading: messages.heading(.record), isEmphasized: true),
            LayoutColumn(heading: messages.heading(.action)),
            LayoutColumn(heading: messages.heading(.state), kind: .code),
            LayoutColumn(heading: messages.heading(.message), lines: Self.maxMessageLines, isElastic: true),
            LayoutColumn(heading: messages.heading(.age), isRight: true),
        ])
        let ops = operations.map { $0[Operation.op] ?? "" }
        let others = operations.flatMap { [$0[Operation.waitsFor], $0[Operation.stuckBehind]].compactMap(\.self) }
        let length = OperationNames.uniqueLength(of: ops + others + known)
        for (operation, op) in zip(operations, ops) {
            let id = operation[Operation.id] ?? ""
            let record = "\(operation[Operation.collection] ?? "")/\(id == op ? messages.newRecord : id)"
            let next = instant(operation[Operation.nextTry]?.string).cell.text
            let message = [
                message(of: operation, length), next.isEmpty ? "" : messages.nextRefresh(next, isAnotherTry: true),
            ]
            table.append([
                Cell(Escaping.line(String(op.prefix(length)))), Cell(Escaping.line(record)),
                action(of: operation).cell, state(of: operation).cell,
                Cell(Escaping.line(message.filter { !$0.isEmpty }.joined(separator: "; "))),
                Cell(age(of: operation)),
            ])
        }
        return table.text(width: width, isColored: isColored)
    }

    private func age(of operation: AnswerValue) -> String {
        let submitted = operation[Operation.submittedAt]?.string.flatMap { Instant.parse($0) }
        return submitted.map { messages.span(time.now - $0.ms) } ?? ""
    }

    private func state(of operation: AnswerValue) -> (data: String, cell: Cell) {
        let state = operation[Operation.state] ?? ""
        let isStuck = OperationState(rawValue: state)?.isStuck ?? false
        return (state, Cell(Escaping.line(messages.operationState(state)), style: isStuck ? .warning : .plain))
    }

    /// - Parameter length: the number of characters of other operations that are shown.
    private func message(of operation: AnswerValue, _ length: Int = .max) -> String {
        if let other = operation[Operation.stuckBehind] {
            return messages.waits(for: String(other.prefix(length)), isStuck: true)
        }
        if let other = operation[Operation.waitsFor] { return messages.waits(for: String(other.prefix(length))) }
        if let message = operation[Operation.message] { return message }
        return operation[Operation.reason] ?? ""
    }

    private func action(of operation: AnswerValue) -> (data: String, cell: Cell) {
        let name = operation[Operation.action] ?? ""
        guard case .named = OperationAction(name) else { return (name, Cell(messages.word(name))) }
        let collection = collections.first { $0.name == operation[Operation.collection] }
        return (name, Cell(FreshnessLine.clause(collection?.writes?.action(name)?.title ?? name)))
    }

    private func same(_ text: String) -> (data: String, cell: Cell) { (text, Cell(Escaping.line(text))) }

    private func instant(_ text: String?) -> (data: String, cell: Cell) {
        let shown = text.flatMap { Instant.parse($0) }.map { time.short($0.ms) }
        return (text ?? "", Cell(shown ?? ""))
    }

    /// An operation with its values, the upstream's answer and the attempts.
    func text(_ operation: AnswerValue, width: Int, isColored: Bool) -> String {
        let layout = FactLayout(width: width, isColored: isColored)
        let apart = ["values", "before", "theirs", "answer", "log"]
        var text = layout.text(
            operation.members.filter { !apart.contains($0.name) && $0.value.kind != .null }.map { name, value in
                switch name {
                case "action": (Escaping.line(messages.memberName(name)), action(of: operation).cell)
                case "state": (Escaping.line(messages.memberName(name)), Cell(state(of: operation).cell.text))
                default: fact(name, value)
                }
            })
        if let values = operation[Operation.values], !values.members.isEmpty {
            text += heading(messages.values, isColored: isColored)
            text += layout.text(
                values.members.map { name, value in
                    let before = operation[Operation.before]?[name].map { messages.before(shown($0)) } ?? ""
                    return (Escaping.line(name), Cell(Escaping.line(shown(value) + before)))
                })
        }
        if let theirs = operation[Operation.theirs] {
            text += heading(messages.theirs, isColored: isColored)
            text +=
                theirs.members.isEmpty
                ? messages.noRecordThere + "\n"
                : layout.text(theirs.members.map { (Escaping.line($0.name), Cell(Escaping.line(shown($0.value)))) })
        }
        if let answer = operation[Operation.answer] {
            text += heading(messages.answer, isColored: isColored) + layout.text(answer.members.map(fact))
        }
        let log = operation[Operation.log]
        if !log.isEmpty {
            text += heading(messages.attempts, isColored: isColored)
            text += layout.text(
                log.map { entry in
                    let words = [
                        entry[OutboxResult.Attempt.state].map(messages.operationState),
                        entry[OutboxResult.Attempt.status].map { messages.status(Int64($0)) },
                        entry[OutboxResult.Attempt.message],
                    ]
                    let at = instant(entry[OutboxResult.Attempt.at]?.string).cell.text
                    return (at, Cell(Escaping.line(words.compactMap(\.self).joined(separator: ", "))))
                })
        }
        return text
    }

    private func shown(_ value: AnswerValue) -> String { value.kind == .null ? messages.noValue : value.text }

    private func fact(_ name: String, _ value: AnswerValue) -> (name: String, cell: Cell) {
        let shown = value.string.flatMap { Instant.parse($0) }.map { time.long($0.ms) }
        let text = name == "reason" ? messages.word(value.text) : value.text
        let list = value.kind == .array ? value.elements.map(\.text).joined(separator: ", ") : text
        return (Escaping.line(messages.memberName(name)), Cell(shown ?? Escaping.line(list)))
    }

    private func heading(_ text: String, isColored: Bool) -> String {
        "\n" + Style.heading.apply(to: text, isColored: isColored) + "\n"
    }
}
