// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The operations of the outbox as lines: state, action, title, age, and what comes next.
struct OutboxContent {
    let state: OutboxState
    let collections: [CollectionDescription]
    let time: LocalTime

    private typealias Operation = OutboxResult.Operation
    private var messages: Messages { time.messages }

    /// The notes above the operations: origins that nothing is sent to, and how many are not shown.
    func notes(width: Int) -> [StyledLine] {
        var notes = state.paused.map { origin in
            let next = instant(origin[PausedOrigin.nextTry]).map { time.clock($0) } ?? "–"
            return messages.paused(
                Escaping.line(origin[PausedOrigin.origin] ?? ""),
                FreshnessLine.clause(origin[PausedOrigin.reason] ?? ""),
                next: next)
        }
        let shown = state.operations?.count ?? 0
        if Int64(shown) < state.total { notes.append(messages.shownOf(shown, state.total)) }
        return notes.flatMap { Fitting.wrapWhole($0, to: width) }.map { StyledLine($0, .warning) }
    }

    /// The lines of each operation, and the headings above them.
    func rows(width: Int) -> (headings: [StyledLine], rows: [[StyledLine]]) {
        let columns = [
            LayoutColumn(heading: messages.stateHeading.uppercased(), kind: .code),
            LayoutColumn(heading: messages.actionHeading.uppercased()),
            LayoutColumn(
                heading: messages.recordHeading.uppercased(), lines: 2, isElastic: true, isEmphasized: true),
            LayoutColumn(heading: messages.ageHeading.uppercased()),
            LayoutColumn(heading: messages.nextHeading.uppercased(), lines: 2, isElastic: true),
        ]
        let cells = (state.operations ?? []).map(self.cells)
        let layout = ListLayout(columns: columns, rows: cells, width: width, indent: 0)
        return (layout.headings, cells.map { layout.lines($0) })
    }

    private func cells(_ operation: AnswerValue) -> [Cell] {
        let code = operation[Operation.state] ?? ""
        let age = instant(operation[Operation.submittedAt]).map { messages.age(time.now - $0) } ?? ""
        return [
            Cell(messages.state(code), style: Self.isStuck(code) ? .warning : .plain), Cell(action(of: operation)),
            Cell(state.title(of: operation), style: .bold), Cell(age), Cell(next(operation)),
        ]
    }

    /// Whether an operation waits for a person.
    static func isStuck(_ state: String) -> Bool {
        OperationState(rawValue: state)?.isStuck ?? false
    }

    private func action(of operation: AnswerValue) -> String {
        let name = operation[Operation.action] ?? ""
        let collection = collections.first { $0.name == operation[Operation.collection] }
        return Escaping.line(collection?.writes?.action(name)?.title ?? name)
    }

    /// The next step: the time of the next try, and the reason why it waits.
    private func next(_ operation: AnswerValue) -> String {
        if let stuck = operation[Operation.stuckBehind] {
            return Escaping.line(messages.waits(for: shortened(stuck), isStuck: true))
        }
        if let first = operation[Operation.waitsFor] { return Escaping.line(messages.waits(for: shortened(first))) }
        let reason = operation[Operation.message] ?? operation[Operation.reason]
        guard let next = instant(operation[Operation.nextTry]).map({ messages.nextTryAt(time.clock($0)) }) else {
            return Escaping.line(reason ?? "")
        }
        return [next, reason.map { FreshnessLine.clause($0) }].compactMap(\.self).joined(separator: " · ")
    }

    /// As much of an operation's UUID as distinguishes it.
    private func shortened(_ op: String) -> String {
        let known = (state.operations ?? []).compactMap { $0[Operation.op] }
        return String(op.prefix(OperationNames.uniqueLength(of: known + [op])))
    }

    private func instant(_ value: AnswerValue?) -> Int64? { value?.string.flatMap { Instant.parse($0)?.ms } }

    /// The lines of one operation with its values and attempts.
    func lines(of layer: OperationLayer, width: Int) -> [StyledLine] {
        let operation = layer.operation
        let code = operation[Operation.state] ?? ""
        let collection = collections.first { $0.name == operation[Operation.collection] }
        var facts = FactLines()
        facts.append(messages.stateHeading, messages.state(code), Self.isStuck(code) ? .warning : .plain)
        facts.append(messages.actionHeading, action(of: operation))
        let record = [collection?.title, operation[Operation.id]].compactMap { $0.map { Escaping.line($0) } }
        facts.append(messages.recordHeading, record.joined(separator: " · "))
        if !next(operation).isEmpty { facts.append(messages.nextHeading, next(operation)) }
        if let first = operation[Operation.waitsFor] { facts.append(messages.waitsForHeading, Escaping.line(first)) }
        if let at = instant(operation[Operation.submittedAt]) {
            let by = operation[Operation.submittedBy].map { ", \(Escaping.line($0))" } ?? ""
            facts.append(messages.submittedHeading, "\(time.dateAndClock(at)), \(time.relative(at))\(by)")
        }
        append(values: operation, of: collection, to: &facts)
        if let answer = operation[Operation.answer] {
            let status = answer[OutboxResult.Answer.status].map { String($0) } ?? ""
            let body = Escaping.line(answer[OutboxResult.Answer.body] ?? answer[OutboxResult.Answer.base64] ?? "")
            facts.append(messages.answerHeading, "\(status) \(body)")
        }
        for (index, attempt) in operation[Operation.log].enumerated() {
            let at = instant(attempt[OutboxResult.Attempt.at]).map { time.dateAndClock($0) } ?? ""
            let state = attempt[OutboxResult.Attempt.state].map { messages.state($0) }
            let reason = attempt[OutboxResult.Attempt.message].map { FreshnessLine.clause($0) }
            let outcome = [state, reason].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " · ")
            facts.append(index == 0 ? messages.attemptsHeading : "", "\(at)  \(outcome)")
        }
        facts.append(messages.operationHeading, Escaping.line(layer.op), .dim)
        var lines = (layer.title.map { Fitting.wrapWhole($0, to: width) } ?? []).map { StyledLine($0, .bold) }
        if let refusal = layer.refusal {
            lines += Fitting.wrapWhole(Escaping.line(refusal.message), to: width).map { StyledLine($0, .warning) }
        }
        return lines + facts.lines(width: width)
    }

    private func append(values operation: AnswerValue, of collection: CollectionDescription?, to facts: inout FactLines)
    {
        let before = operation[Operation.before]
        let text = collection.map { HistoryText(maker: CellMaker(collection: $0, time: time)) }
        func shown(_ name: String, _ value: AnswerValue) -> String {
            value.kind == .null ? "–" : text?.value(value, name) ?? Escaping.line(value.text)
        }
        func heading(_ name: String) -> String { text?.heading(name) ?? Escaping.line(name) }
        for (index, (name, value)) in (operation[Operation.values]?.members ?? []).enumerated() {
            let old = before?[name].map { "\(shown(name, $0)) → " } ?? ""
            facts.append(index == 0 ? messages.valuesHeading : "", "\(heading(name)): \(old)\(shown(name, value))")
        }
        for (index, (name, value)) in (operation[Operation.theirs]?.members ?? []).enumerated() {
            facts.append(index == 0 ? messages.theirsHeading : "", "\(heading(name)): \(shown(name, value))")
        }
    }
}

/// A page of the operations of the outbox. Pages begin where the one before is full.
struct OutboxPage {
    /// The lines above the headings.
    let notes: [StyledLine]
    let headings: [StyledLine]
    /// The index of the first operation of the page.
    let first: Int
    /// The lines of each operation of the page.
    let rows: [[StyledLine]]

    /// - Parameter selected: the index of an operation that the page has.
    init(_ content: OutboxContent, _ regions: ScreenRegions, selected: Int) {
        let all = content.rows(width: regions.listTextWidth)
        notes = content.notes(width: regions.size.columns - 2)
        headings = all.headings
        let lines = regions.bodyLines - notes.count - headings.count
        var start = 0
        var end = all.rows.count
        var used = 0
        for index in all.rows.indices {
            if used + all.rows[index].count > lines, index > start {
                if index > selected {
                    end = index
                    break
                }
                start = index
                used = 0
            }
            used += all.rows[index].count
        }
        first = start
        rows = Array(all.rows[start..<end])
    }

    /// The line between the rows above and those below at which an operation of the page begins.
    func line(of row: Int) -> Int {
        rows[..<row].reduce(notes.count + headings.count) { $0 + $1.count }
    }

    /// The index of the operation on a line; nil if there is none.
    func operation(at line: Int) -> Int? {
        guard let row = rows.indices.last(where: { self.line(of: $0) <= line }),
            line < self.line(of: row) + rows[row].count
        else { return nil }
        return first + row
    }
}
