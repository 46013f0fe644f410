// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal

/// `browse --plain`: a conversation in lines. It reads a line, does what it says, and prints what comes of it.
///
/// The records, the operations and the daemon are parts with state of their own. The meaning of a line, a list and its
/// text are pure: ``PlainLine``, ``PlainList``, ``PlainListText``, ``PlainForm`` and ``PlainNews``.
final class PlainBrowser {
    private let console: PlainConsole
    private let daemon: PlainDaemon
    private let collections: [CollectionDescription]
    private let roles: Set<String>
    private let records: PlainRecords
    private let operations: PlainOperations

    private var list: PlainList { records.list }

    private init(
        _ context: CommandContext, _ collections: [CollectionDescription], _ roles: Set<String>,
        _ first: CollectionDescription, _ query: ListQuery
    ) {
        console = PlainConsole(context)
        daemon = PlainDaemon(console)
        self.collections = collections
        self.roles = roles
        records = PlainRecords(PlainList(first, query), console, daemon)
        operations = PlainOperations(collections, records, console, daemon)
    }

    /// Runs the conversation to the end of its input.
    ///
    /// - Throws: what keeps it from beginning, such as a daemon that cannot be reached.
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let (collections, roles) = try describe(context)
        let selector = context.invocation.selector?.name
        let named = selector.flatMap { selector in collections.first { $0.isNamed(selector) } }
        var start = BrowseStart(context)
        start.collection = named?.name ?? selector
        if let connection = context.openConnection { try start.check(context, on: connection) }
        guard let first = named ?? collections.first else {
            throw .failed(
                .noData, kind: ErrorKind.noData.rawValue,
                message: TranslatedText(en: "there are no collections", pl: "nie ma żadnych kolekcji"))
        }
        let browser = PlainBrowser(context, collections, roles, first, start.query)
        return browser.converse()
    }

    private static func describe(
        _ context: CommandContext
    ) throws(CommandError) -> (collections: [CollectionDescription], roles: Set<String>) {
        let you = try context.call(.hello, HelloParameters())[HelloResult.you]
        var parameters = DescribeParameters()
        parameters.language = context.language
        let answer = try context.call(.describe, parameters)
        let collections = answer[DescribeResult.collections].compactMap(CollectionDescription.init)
        return (collections, Set((you?[HelloResult.PeerInfo.roles] ?? []).map(\.text)))
    }

    private func converse() -> ExitCode {
        if console.isTerminal { console.print(console.messages.questionMarkHelps) }
        records.showList()
        while let line = nextLine() {
            switch PlainLine(line) {
            case .quit: return .done
            case let line: obey(line)
            }
            // A reader that has gone, such as head(1), ends the conversation without a word.
            guard console.flush() else { return .done }
        }
        return .done
    }

    /// The next line of input. News are printed until it comes. Nil at the end, or where the reader of the output has gone.
    private func nextLine() -> String? {
        console.prompt()
        guard console.flush() else { return nil }
        daemon.checkConnection()
        // Lines that were typed ahead, or come from a script, are answered first.
        switch console.next(or: nil, before: 0) {
        case .line(let line): return line
        case .end, .other: break
        case .time: daemon.follow(records.changes)
        }
        daemon.readNotifications()
        while true {
            switch console.next(or: daemon.descriptor, before: daemon.deadline) {
            case .line(let line): return line
            case .end:
                if console.isTerminal { console.print("") }
                console.flush()
                return nil
            case .other, .time:
                guard let line = daemon.advance(records.list, changes: records.changes) else { continue }
                console.print((console.isTerminal ? "\n" : "") + "! " + line)
                console.prompt()
                guard console.flush() else { return nil }
            }
        }
    }

    // MARK: - Lines

    /// Does what a line says.
    private func obey(_ line: PlainLine) {
        switch line {
        case .next:
            if !operations.areShown {
                records.showNext()
            } else if !operations.showPage({ $0.goForward() }) {
                console.print(console.messages.endOfList)
            }
        case .previous:
            if !operations.areShown {
                records.showPrevious()
            } else if !operations.showPage({ $0.goBack() }) {
                // Before the first operations stands the list that was shown before.
                records.showList()
            }
        case .open(let number): if operations.areShown { operations.open(number) } else { records.open(number) }
        case .search(let words):
            guard words.utf8.count <= ListQuery.maxSearchBytes else {
                return console.print(console.messages.textIsFull(ListQuery.maxSearchBytes))
            }
            records.change { $0.search = words }
        case .choose(let name): choose(name)
        case .act(let action, let numbers, let words): act(action, numbers, words)
        case .quit: break
        case .unknown(let text): console.print(console.messages.notKnown(Escaping.line(text)))
        }
    }

    private func act(_ action: BrowseAction, _ numbers: [Int], _ words: String) {
        if operations.areShown, operations.obey(action, numbers) { return }
        if let obstacle = console.messages.obstacle(to: action, in: list.collection, roles: roles) {
            return console.print(obstacle)
        }
        switch action {
        case .first: records.reload()
        case .last: records.showLast()
        case .nextGroup: records.showGroup(isForward: true)
        case .previousGroup: records.showGroup(isForward: false)
        case .filter: records.change { $0.filter = words }
        case .sort: records.order(words)
        case .view: records.view(words)
        case .archived: records.archived(words)
        case .archive: records.archive(numbers, words)
        case .undo: records.undo()
        case .refresh: refresh(["--collection", list.collection.name])
        case .refreshAll: refresh([])
        case .accept: accept()
        case .copyID: records.withRecords(numbers, words) { $0.forEach { console.print(Escaping.line($0)) } }
        case .copyRecord: records.withRecord(numbers, words) { records.showJSON($0) }
        case .openAddress: records.openFile(numbers)
        case .add: records.submit("create", id: nil)
        case .edit: records.withRecord(numbers, words) { records.submit("update", id: $0) }
        case .actions: records.actions(numbers, words)
        case .deal: records.deal()
        case .followingRecord: records.step(by: 1)
        case .precedingRecord: records.step(by: -1)
        case .upstream: records.withRecord(numbers, words) { records.showUpstream($0) }
        case .help: help()
        case .previousRecord, .nextRecord, .previousPage, .nextPage, .nextTab, .previousTab, .chooseTab, .open, .back,
            .leave, .search, .mouse, .redraw, .quit:
            console.print(console.messages.notKnown(words))
        }
    }

    private func help() {
        for line in PlainHelp(console.messages, roles: roles, list.collection).lines { console.print(line) }
    }

    // MARK: - Refreshing

    private func refresh(_ selection: [String]) {
        console.print(console.messages.refreshing)
        console.flush()
        guard let answer = console.verbs.refresh(selection) else { return }
        let summaries = answer[RefreshResult.collections].map { outcome in
            let name = outcome[RefreshResult.Outcome.collection] ?? ""
            return RefreshSummary(outcome, title: collections.first { $0.name == name }?.title ?? name)
        }
        console.print(console.messages.refreshed(summaries, console.time).text)
        // The list of what failed has no reasons.
        if summaries.count > 1 {
            for summary in summaries where summary.isFailure {
                console.print(console.messages.refreshed([summary], console.time).text)
            }
        }
        if !summaries.allSatisfy(\.isFailure) { records.reload() }
    }

    /// Accepts what the guard holds of the collection, after asking.
    private func accept() {
        typealias Entry = StatusResult.Collection
        var parameters = StatusParameters()
        parameters.language = console.context.language
        guard
            let status = daemon.asking(
                about: list, { () throws(CommandError) in try console.verbs.call(.status, parameters) })
        else { return }
        let name = list.collection.name
        let entry = status[StatusResult.collections].first { $0[Entry.name] == name }
        guard let held = entry?[Entry.held] else { return console.print(console.messages.nothingHeld) }
        let (after, before) = (held[StatusResult.Held.after] ?? 0, held[StatusResult.Held.before] ?? 0)
        guard console.confirms(console.messages.acceptQuestion(after, insteadOf: before)) else { return }
        refresh(["--accept", "--collection", list.collection.name])
    }

    // MARK: - Collections

    /// Goes to a collection, the outbox or the status; without a name it lists them.
    private func choose(_ name: String) {
        if name.isEmpty { return showCollections() }
        // The numbers are those of the tabs on a screen.
        let number = Int(name)
        let outboxNumber = hasOutbox ? collections.count + 1 : nil
        let statusNumber = collections.count + (hasOutbox ? 2 : 1)
        if let collection = collections.enumerated().first(where: {
            $0.element.isNamed(name) || $0.offset + 1 == number
        }) {
            return records.show(collection.element)
        }
        let word = name.lowercased()
        let isOutbox = word == "outbox" || word == console.messages.outboxTitle.lowercased() || number == outboxNumber
        if hasOutbox, isOutbox { return operations.show() }
        if word == "status" || word == console.messages.statusTitle.lowercased() || number == statusNumber {
            console.verbs.run(["status"])
            return
        }
        let names = collections.map { Escaping.line($0.name) } + (hasOutbox ? ["outbox"] : []) + ["status"]
        console.print(console.messages.noName(Escaping.line(name), among: names.joined(separator: ", ")))
    }

    private var hasOutbox: Bool { collections.contains { $0.writes != nil } }

    private func showCollections() {
        var entries = collections.map { (title: Escaping.line($0.title), name: Escaping.line($0.name)) }
        if hasOutbox { entries.append((console.messages.outboxTitle, "outbox")) }
        entries.append((console.messages.statusTitle, "status"))
        for (index, entry) in entries.enumerated() { console.print("\(index + 1). \(entry.title); c \(entry.name)") }
    }
}

extension CollectionDescription {
    /// Whether a word names this collection: it is its name, singular or title.
    func isNamed(_ word: String) -> Bool {
        let word = word.lowercased()
        return [name, singular, title].contains { $0.lowercased() == word }
    }
}
