// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The operations of `browse --plain` on their way to an upstream, and what is done with them.
final class PlainOperations {
    private typealias Operation = OutboxResult.Operation

    /// The operations that were listed last.
    private var outbox: PlainOutbox?
    private let collections: [CollectionDescription]
    private let records: PlainRecords
    private let console: PlainConsole
    private let daemon: PlainDaemon

    /// Whether operations are listed, so that numbers are theirs.
    var areShown: Bool { outbox != nil && !records.isShown }

    private var list: PlainList { records.list }

    init(
        _ collections: [CollectionDescription], _ records: PlainRecords, _ console: PlainConsole, _ daemon: PlainDaemon
    ) {
        self.collections = collections
        self.records = records
        self.console = console
        self.daemon = daemon
    }

    /// Lists the operations in which something is still to happen, newest first, as the screen does.
    func show() {
        var listing = OutboxListing(language: console.context.language)
        while let parameters = listing.next {
            guard
                let answer = daemon.asking(
                    about: list,
                    { () throws(CommandError) in try console.verbs.call(.outbox, parameters, isPreview: true) })
            else {
                return
            }
            listing.read(answer)
        }
        records.hide()
        outbox = PlainOutbox(listing)
        showOperations()
    }

    /// Shows the page of the operations, with the titles of their records.
    private func showOperations() {
        guard var outbox else { return }
        let ops = outbox.ops
        if !ops.isEmpty {
            var parameters = OutboxParameters()
            parameters.action = .get
            parameters.ops = NameList(ops)
            guard
                let answer = daemon.asking(
                    about: list,
                    { () throws(CommandError) in try console.verbs.call(.outbox, parameters, isPreview: true) })
            else {
                return
            }
            outbox.learnTitles(answer[OutboxResult.operations], collections)
            self.outbox = outbox
        }
        console.print(outbox.lines(console.time))
    }

    /// Does what a letter says while operations are listed; numbers are theirs then.
    ///
    /// - Returns: false if it means the same as in a list of records.
    func obey(_ action: BrowseAction, _ numbers: [Int]) -> Bool {
        switch action {
        case .first, .refresh: show()
        case .last: return showPage { $0.goToEnd() }
        case .actions: withOperation(numbers) { treat($0) }
        case .copyID: withOperation(numbers) { console.print(Escaping.line($0[Operation.id] ?? "")) }
        case .copyRecord: withOperation(numbers) { console.print(json: $0) }
        case .archive, .edit, .openAddress, .upstream, .followingRecord, .precedingRecord, .nextGroup, .previousGroup:
            console.print(console.messages.forRecordsOnly)
        default: return false
        }
        return true
    }

    private func withOperation(_ numbers: [Int], _ body: (AnswerValue) -> Void) {
        guard let number = numbers.first, numbers.count == 1 else { return console.print(console.messages.whichRecord) }
        guard let operation = outbox?.operation(number) else {
            return console.print(console.messages.noNumber(String(number)))
        }
        body(operation)
    }

    /// Shows the operation of a number.
    func open(_ number: Int) {
        guard let operation = outbox?.operation(number) else {
            return console.print(console.messages.noNumber(String(number)))
        }
        console.verbs.run(["outbox", "get", operation[Operation.op] ?? ""])
    }

    /// Shows another page of the operations; false if `move` finds none.
    func showPage(_ move: (inout PlainOutbox) -> Bool) -> Bool {
        guard var outbox, move(&outbox) else { return false }
        self.outbox = outbox
        showOperations()
        return true
    }

    /// Lists the ways on for an operation, asks which, and goes it.
    private func treat(_ operation: AnswerValue) {
        let op = operation[Operation.op] ?? ""
        let ways = OperationDecision.offered(for: operation)
        guard !ways.isEmpty else { return console.print(console.messages.noActions) }
        guard
            let index = console.chosen(
                among: ways.map { "\(console.messages.title(of: $0)): \(console.messages.note(of: $0))" })
        else {
            return
        }
        if ways[index] == .correct { return correct(operation, op) }
        var arguments = ways[index].arguments + ["--", op]
        if ways[index] == .resolveDone, operation[Operation.action] == "create" {
            guard let id = console.answer(to: "\(console.messages.upstreamID): ") else { return }
            if !id.isEmpty { arguments = ways[index].arguments + ["--id", id, "--", op] }
        }
        if ways[index] == .drop || ways[index] == .resolveAgain,
            !console.confirms(console.messages.question(ways[index], String(op.prefix(8))))
        {
            return
        }
        if console.verbs.run(["outbox"] + arguments) == .done { show() }
    }

    /// Asks for other values of an operation, and tries it again with them.
    private func correct(_ operation: AnswerValue, _ op: String) {
        let name = operation[Operation.collection]
        guard let description = collections.first(where: { $0.name == name }),
            let action = description.writes?.action(operation[Operation.action] ?? "")
        else { return console.print(console.messages.notOffered) }
        var parameters = OutboxParameters.get(op)
        parameters.language = console.context.language
        guard
            let answer = daemon.asking(
                about: list, { () throws(CommandError) in try console.verbs.call(.outbox, parameters, isPreview: true) }
            )
        else { return }
        let values = answer[OutboxResult.operations].first?[Operation.values]
        var form = PlainForm(action, of: description, record: values, time: console.time)
        // An operation on a record is corrected in what it gives; a new record can get more.
        if action.name != "create" { form.keep(only: values) }
        console.print(console.messages.formHelp)
        let forms = PlainForms(console: console, daemon: daemon, list: list)
        for index in form.fields.indices where !forms.ask(for: index, &form) {
            return console.print(console.messages.leftForm)
        }
        if form.values.isEmpty { return console.print(console.messages.unchangedForm) }
        parameters = OutboxParameters(.correct, about: [op])
        parameters.language = console.context.language
        parameters.fields = FieldValues(form.values)
        guard
            let answer = daemon.asking(
                about: list, { () throws(CommandError) in try console.verbs.call(.outbox, parameters) })
        else { return }
        console.print(console.messages.outcome(of: .correct, answer).text)
        show()
    }
}

extension OperationDecision {
    /// The decisions that an operation allows; giving up is the last. One that waits for another one is not retried.
    static func offered(for operation: AnswerValue) -> [OperationDecision] {
        guard var allowed = DecisionFacts(operation)?.allowed else { return [] }
        if operation[OutboxResult.Operation.waitsFor] != nil { allowed.remove(.retry) }
        return allCases.filter { $0 != .drop && allowed.contains($0) } + (allowed.contains(.drop) ? [.drop] : [])
    }

    /// The words after `outbox` on a command line; a correction is a retry with values.
    var arguments: [String] {
        let parameters = OutboxParameters(self, about: [])
        return [parameters.action.rawValue] + (parameters.resolution.map { ["--as", $0.rawValue] } ?? [])
    }
}
