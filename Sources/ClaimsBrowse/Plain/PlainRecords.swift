// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The records of `browse --plain`: the list that is shown, the record that was opened last, and what is done with both.
final class PlainRecords {
    /// Whether the list is what was shown last; numbers are those of operations otherwise.
    private(set) var isShown = true
    private(set) var list: PlainList
    /// The id of the record that was opened last.
    private var opened: String?
    /// The steps of archiving and unarchiving here.
    private var undoable = ArchiveSteps()
    private let console: PlainConsole
    private let daemon: PlainDaemon

    init(_ list: PlainList, _ console: PlainConsole, _ daemon: PlainDaemon) {
        self.list = list
        self.console = console
        self.daemon = daemon
    }

    /// The feed of the changes of the list; nil while it is not shown, or has no answer yet.
    var changes: SubscribeParameters? { isShown ? list.changes(zone: console.context.zoneParameter) : nil }

    /// Shows the list of another collection.
    func show(_ collection: CollectionDescription) {
        list = PlainList(collection)
        leave()
        showList()
    }

    /// Forgets what belonged to the list before; operations are shown instead of it.
    func hide() {
        leave()
        isShown = false
    }

    private func leave() {
        opened = nil
        daemon.stopFollowing()
    }

    /// Submits an action after asking for its values.
    func submit(_ name: String, id: String?) {
        if PlainForms(console: console, daemon: daemon, list: list).submit(name, id: id) { reload() }
    }

    /// The ids of the numbers, or of the record that was opened last; nil if there is none, which a line then says.
    private func ids(_ numbers: [Int], _ words: String) -> [String]? {
        if !words.isEmpty, numbers.isEmpty {
            console.print(console.messages.noNumber(Escaping.line(words)))
            return nil
        }
        if numbers.isEmpty {
            if opened == nil { console.print(console.messages.whichRecord) }
            return opened.map { [$0] }
        }
        var ids: [String] = []
        for number in numbers {
            guard let id = list.id(number) else {
                console.print(console.messages.noNumber(String(number)))
                return nil
            }
            ids.append(id)
        }
        return ids
    }

    func withRecords(_ numbers: [Int], _ words: String, _ body: ([String]) -> Void) {
        if let ids = ids(numbers, words) { body(ids) }
    }

    /// Does something with one record: that of the number, or the one opened last.
    func withRecord(_ numbers: [Int], _ words: String, _ body: (String) -> Void) {
        guard let ids = ids(numbers, words), let id = ids.first else { return }
        if ids.count == 1 { body(id) } else { console.print(console.messages.whichRecord) }
    }

    /// Shows the record of a number.
    func open(_ number: Int) {
        guard let id = list.id(number) else { return console.print(console.messages.noNumber(String(number))) }
        show(id)
    }

    /// Shows the record after or before the one that was opened last.
    func step(by distance: Int) {
        guard let opened, let index = list.rows.firstIndex(where: { $0.id == opened }) else {
            return console.print(console.messages.noRecordOpen)
        }
        var next = index + distance
        if next < 0 {
            guard list.goBack() else { return console.print(console.messages.startOfList) }
            showList()
            next = list.rows.count - 1
        } else if next >= list.rows.count {
            guard list.goForward() else { return console.print(console.messages.endOfList) }
            showList()
            next = 0
        }
        if list.rows.indices.contains(next) { show(list.rows[next].id) }
    }

    private func show(_ id: String) {
        guard let answer = daemon.detail(id, of: list) else { return }
        opened = id
        let maker = CellMaker(collection: list.collection, time: console.time)
        console.write(
            DetailText(maker, width: console.context.surroundings.width, isColored: false).text(
                answer, withUpstream: false))
        showHistory(id)
    }

    /// The last changes of a record, newest first. Where the daemon keeps none, nothing is said.
    private func showHistory(_ id: String) {
        typealias Version = HistoryResult.Version
        var parameters = HistoryParameters()
        parameters.collection = list.collection.name
        parameters.id = RecordID(id)
        parameters.language = console.context.language
        parameters.limit = 5
        guard
            let answer = daemon.asking(
                about: list, { () throws(CommandError) in try console.verbs.call(.history, parameters) })
        else { return }
        let versions = answer[HistoryResult.versions]
        if !versions.isEmpty { console.write("\n\(console.messages.historyTitle)\n") }
        for version in versions {
            let at = version[Version.at]?.string.flatMap { Instant.parse($0) }.map { console.time.short($0.ms) } ?? ""
            var changes: [String] = []
            for (name, pair) in version[Version.changes]?.members ?? [] {
                let values = pair.elements.map { $0.kind == .null ? "–" : Escaping.line($0.text) }
                changes.append("\(Escaping.line(name)): \(values.joined(separator: " → "))")
            }
            console.print(([at, console.messages.change(version[Version.op] ?? "")] + changes).joined(separator: "; "))
        }
    }

    func showJSON(_ id: String) {
        guard let record = daemon.detail(id, of: list)?[DetailResult.record] else { return }
        console.print(json: record)
    }

    func showUpstream(_ id: String) {
        guard let upstream = daemon.detail(id, of: list)?[DetailResult.upstream] else { return }
        let json = JSONLayout.indented(JSONLayout.terminalSafe(Array(upstream.source.utf8)))
        console.write(String(decoding: json, as: UTF8.self) + "\n")
    }

    /// Opens a file or address: `o 3`, `o 3 2` for the second one.
    func openFile(_ numbers: [Int]) {
        withRecord(Array(numbers.prefix(1)), "") { id in
            let number = numbers.dropFirst().first.map { [String($0)] } ?? []
            console.verbs.run(["open", "--collection", list.collection.name, "--", id] + number)
        }
    }

    func deal() {
        var parameters = DealParameters()
        parameters.collection = list.collection.name
        parameters.language = console.context.language
        guard
            let answer = daemon.asking(
                about: list, { () throws(CommandError) in try console.verbs.call(.deal, parameters) })
        else { return }
        console.print("*** \(Escaping.line(answer[DealResult.message] ?? "")) ***")
        guard let record = answer[DealResult.record] else { return }
        opened = record["id"]?.text
        console.print(PlainListText(list, time: console.time).line(about: record))
    }

    // The archive.

    /// Archives records, or takes them out of the archive, each as the opposite of what it is.
    func archive(_ numbers: [Int], _ words: String) {
        withRecords(numbers, words) { ids in
            let archived = ids.filter { list.isArchived($0) }
            let others = ids.filter { !list.isArchived($0) }
            let name = list.collection.name
            if !others.isEmpty { perform(ArchiveStep(collection: name, ids: others, isArchive: true)) }
            if !archived.isEmpty { perform(ArchiveStep(collection: name, ids: archived, isArchive: false)) }
        }
    }

    func undo() {
        guard let last = undoable.pop() else { return console.print(console.messages.nothingToUndo) }
        perform(last.inverse, isUndo: true)
    }

    private func perform(_ step: ArchiveStep, isUndo: Bool = false) {
        let isListed = step.collection == list.collection.name
        if isListed { daemon.expect(step.ids) }
        guard
            let answer = daemon.asking(
                about: list, { () throws(CommandError) in try console.verbs.call(step.method, step.parameters) })
        else { return }
        func names(_ member: Member<[String]>) -> String? {
            let ids = answer[member].map { Escaping.line($0.text) }
            return ids.isEmpty ? nil : ids.joined(separator: ", ")
        }
        if let changed = names(ArchiveResult.changed) {
            var done = step
            done.ids = answer[ArchiveResult.changed].map(\.text)
            if isListed { list.mark(done.ids, isArchived: step.isArchive) }
            let told = step.isArchive ? console.messages.archivedNow(changed) : console.messages.unarchivedNow(changed)
            console.print(isUndo ? told : "\(told) \(console.messages.undoes)")
            if !isUndo { undoable.push(done) }
        }
        if let unchanged = names(ArchiveResult.unchanged) { console.print(console.messages.alreadySo(unchanged)) }
        if let missing = names(ArchiveResult.missing) { console.print(console.messages.notThere(missing)) }
    }

    // MARK: - Actions

    /// Lists what can be done with a record and then what cannot, asks which, and does it.
    func actions(_ numbers: [Int], _ words: String) {
        withRecord(numbers, words) { id in
            let offered = (list.collection.writes?.actions ?? []).filter {
                $0.name != "create" && $0.name != "update"
            }
            let obstacles = offered.map { obstacle(to: $0, with: id) }
            let possible = offered.indices.filter { obstacles[$0] == nil }
            let impossible = offered.indices.filter { obstacles[$0] != nil }
            // Everybody may share what they can read.
            let titles =
                possible.map { Escaping.line(offered[$0].title) } + [console.messages.shareTitle]
                + impossible.map { "(\(Escaping.line(offered[$0].title)): \(obstacles[$0] ?? ""))" }
            guard let index = console.chosen(among: titles) else { return }
            guard index != possible.count else { return share(id) }
            guard index < possible.count else {
                return console.print(obstacles[impossible[index - possible.count - 1]] ?? "")
            }
            let action = offered[possible[index]].name
            if action == "delete" {
                daemon.expect([id])
                console.verbs.run(["delete", "--collection", list.collection.name, "--", id])
            } else {
                submit(action, id: id)
            }
        }
    }

    /// The reason why an action cannot be done with a record; nil if it can, as far as the daemon says.
    private func obstacle(to action: OfferedAction, with id: String) -> String? {
        if let obstacle = console.messages.obstacle(to: action.name, in: list.collection) { return obstacle }
        guard let condition = RecordCondition(of: action, id: id, in: list.collection),
            let answer = try? console.verbs.call(.count, condition.parameters(zone: console.context.zoneParameter))
        else { return nil }
        return condition.obstacle(answer, console.messages)
    }

    /// Writes a record and its files into a folder, after asking which.
    private func share(_ id: String) {
        guard let answer = console.answer(to: "\(console.messages.shareQuestion): ") else { return }
        let path = FormFile(line: EditedLine(answer), state: .typed).path
        guard !path.isEmpty else { return }
        console.verbs.run(["share", "--collection", list.collection.name, "--", id, path])
    }

    // MARK: - The query

    /// Changes the query; a query that is refused is taken back.
    func change(_ body: (inout ListQuery) -> Void) {
        let before = list
        body(&list.query)
        list.begin()
        opened = nil
        if showList() { daemon.stopFollowing() } else { list = before }
    }

    func order(_ words: String) {
        guard !words.isEmpty else {
            console.print("0. \(console.messages.ownOrder)")
            for (index, order) in list.collection.offers.orders.enumerated() {
                console.print("\(index + 1). \(Escaping.line(order.name))")
            }
            return console.print(console.messages.orFields)
        }
        let (number, orders) = (Int(words), list.collection.offers.orders)
        let named = number.flatMap { orders.indices.contains($0 - 1) ? orders[$0 - 1].name : nil }
        change { $0.order = number == 0 || words == "default" ? nil : named ?? words }
    }

    func view(_ words: String) {
        let views = list.collection.offers.views
        guard !views.isEmpty else { return console.print(console.messages.noViews) }
        guard !words.isEmpty else {
            console.print("0. \(console.messages.without)")
            for (index, view) in views.enumerated() {
                console.print("\(index + 1). \(Escaping.line(view.title ?? view.name)); \(Escaping.line(view.name))")
            }
            return
        }
        if Int(words) == 0 { return change { $0.view = nil } }
        let number = Int(words).map { $0 - 1 }
        guard let view = views.enumerated().first(where: { $0.offset == number || $0.element.name == words })?.element
        else {
            let names = views.map { Escaping.line($0.name) }.joined(separator: ", ")
            return console.print(console.messages.noName(Escaping.line(words), among: names))
        }
        change { $0.view = view.name }
    }

    /// Archived records hidden, shown, only these: by name, else the next of the three.
    func archived(_ words: String) {
        guard words.isEmpty || ArchivedMode(rawValue: words) != nil else {
            return console.print(
                console.messages.noName(
                    Escaping.line(words),
                    among: [ArchivedMode.exclude, .include, .only].map(\.rawValue).joined(separator: ", ")))
        }
        change { query in
            query.archived = ArchivedMode(rawValue: words) ?? query.archived.next
        }
    }

    // MARK: - The list

    /// Asks for the page of the list, and shows it; false if there is no answer.
    @discardableResult func showList() -> Bool {
        if !isShown { leave() }
        isShown = true
        guard
            let answer = daemon.asking(
                about: list,
                { () throws(CommandError) in
                    try console.verbs.call(
                        .search,
                        list.parameters(language: console.context.language, zone: console.context.zoneParameter))
                })
        else { return false }
        list.show(answer)
        if let id = list.possibleID,
            let record = try? console.verbs.call(.detail, daemon.detailParameters(id, of: list))[DetailResult.record]
        {
            list.show(namesake: record)
        }
        console.print(PlainListText(list, time: console.time).lines)
        return true
    }

    /// Shows the first page as it is now.
    func reload() {
        list.go(to: .start)
        if showList() { daemon.stopFollowing() }
    }

    func showNext() {
        if list.page != nil, !list.goForward() { return console.print(console.messages.endOfList) }
        showList()
    }

    func showPrevious() {
        guard list.goBack() else { return console.print(console.messages.startOfList) }
        showList()
    }

    func showLast() {
        list.go(to: .end)
        showList()
    }

    /// Shows the page on which the next group begins, or the one of the group before.
    func showGroup(isForward: Bool) {
        let ranks = list.groupRanks
        guard list.isGrouped, !ranks.isEmpty else { return console.print(console.messages.noGroups) }
        let here = Int64(list.firstNumber - 1)
        guard let rank = isForward ? ranks.first(where: { $0 > here }) : ranks.last(where: { $0 < here }) else {
            return console.print(isForward ? console.messages.endOfList : console.messages.startOfList)
        }
        list.go(to: .rank(rank))
        showList()
    }
}
