// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

// The effect of each line.

extension PlainBrowser {
    /// Does what a line says.
    func obey(_ line: PlainLine) {
        switch line {
        case .next: showNext()
        case .previous: showPrevious()
        case .open(let number): open(number)
        case .search(let words):
            guard words.utf8.count <= ListQuery.maxSearchBytes else {
                return tell(messages.textIsFull(ListQuery.maxSearchBytes))
            }
            change { $0.search = words }
        case .choose(let name): choose(name)
        case .act(let action, let numbers, let words): act(action, numbers, words)
        case .quit: break
        case .unknown(let text): tell(messages.notKnown(Escaping.line(text)))
        }
    }

    private func act(_ action: BrowseAction, _ numbers: [Int], _ words: String) {
        if outbox != nil, actOnOutbox(action, numbers) { return }
        if let obstacle = messages.obstacle(to: action, in: list.collection, roles: roles) {
            return tell(obstacle)
        }
        switch action {
        case .first: reload()
        case .last: showLast()
        case .nextGroup: showGroup(isForward: true)
        case .previousGroup: showGroup(isForward: false)
        case .filter: change { $0.filter = words }
        case .sort: order(words)
        case .view: view(words)
        case .archived: archived(words)
        case .archive: archive(numbers, words)
        case .undo: undo()
        case .refresh: refresh(["--collection", list.collection.name])
        case .refreshAll: refresh([])
        case .accept: accept()
        case .copyID: withRecords(numbers, words) { $0.forEach { tell(Escaping.line($0)) } }
        case .copyRecord: withRecord(numbers, words) { showJSON($0) }
        case .openAddress: openFile(numbers)
        case .add: submit("create", id: nil)
        case .edit: withRecord(numbers, words) { submit("update", id: $0) }
        case .actions: actions(numbers, words)
        case .deal: deal()
        case .followingRecord: step(by: 1)
        case .precedingRecord: step(by: -1)
        case .upstream: withRecord(numbers, words) { showUpstream($0) }
        case .help: help()
        case .previousRecord, .nextRecord, .previousPage, .nextPage, .nextTab, .previousTab, .chooseTab, .open, .back,
            .leave, .search, .mouse, .redraw, .quit:
            tell(messages.notKnown(words))
        }
    }

    private func help() {
        for line in PlainHelp(messages, roles: roles, list.collection).lines { tell(line) }
    }

    // Refreshing.

    private func refresh(_ selection: [String]) {
        tell(messages.refreshing)
        flush()
        guard let answer = verbs.refresh(selection) else { return }
        let summaries = answer[RefreshResult.collections].map { outcome in
            let name = outcome[RefreshResult.Outcome.collection] ?? ""
            return RefreshSummary(outcome, title: collections.first { $0.name == name }?.title ?? name)
        }
        tell(messages.refreshed(summaries, time).text)
        // The list of what failed has no reasons.
        if summaries.count > 1 {
            for summary in summaries where summary.isFailure { tell(messages.refreshed([summary], time).text) }
        }
        if !summaries.allSatisfy(\.isFailure) { reload() }
    }

    /// Takes what the guard holds of the collection, after asking.
    private func accept() {
        typealias Entry = StatusResult.Collection
        var parameters = StatusParameters()
        parameters.language = context.language
        guard let status = asking({ () throws(CommandError) in try verbs.call(.status, parameters) }) else { return }
        let name = list.collection.name
        let entry = status[StatusResult.collections].first { $0[Entry.name] == name }
        guard let held = entry?[Entry.held] else { return tell(messages.nothingHeld) }
        let (after, before) = (held[StatusResult.Held.after] ?? 0, held[StatusResult.Held.before] ?? 0)
        guard confirms(messages.acceptQuestion(after, insteadOf: before)) else { return }
        refresh(["--accept", "--collection", list.collection.name])
    }

    // Collections.

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
            list = PlainList(collection.element)
            leave()
            return showList()
        }
        let word = name.lowercased()
        let isOutbox = word == "outbox" || word == messages.outboxTitle.lowercased() || number == outboxNumber
        if hasOutbox, isOutbox { return showOutbox() }
        if word == "status" || word == messages.statusTitle.lowercased() || number == statusNumber {
            verbs.run(["status"])
            return
        }
        let names = collections.map { Escaping.line($0.name) } + (hasOutbox ? ["outbox"] : []) + ["status"]
        tell(messages.noName(Escaping.line(name), among: names.joined(separator: ", ")))
    }

    var hasOutbox: Bool { collections.contains { $0.writes != nil } }

    private func showCollections() {
        var entries = collections.map { (title: Escaping.line($0.title), name: Escaping.line($0.name)) }
        if hasOutbox { entries.append((messages.outboxTitle, "outbox")) }
        entries.append((messages.statusTitle, "status"))
        for (index, entry) in entries.enumerated() { tell("\(index + 1). \(entry.title); c \(entry.name)") }
    }

    /// Forgets what belonged to the list before.
    func leave() {
        opened = nil
        outbox = nil
        link.isFollowing = false
    }

    // The list.

    /// Asks for the page of the list, and shows it.
    func showList() {
        if outbox != nil { leave() }
        guard
            let answer = asking({ () throws(CommandError) in
                try verbs.call(.search, list.parameters(language: context.language, zone: context.zoneParameter))
            })
        else { return }
        list.take(answer)
        if let id = list.possibleID, let record = try? verbs.call(.detail, detailParameters(id))[DetailResult.record] {
            list.take(namesake: record)
        }
        tell(PlainListText(list, time: time).lines)
    }

    /// Shows the first page as it is now.
    func reload() {
        list.go(to: .start)
        link.isFollowing = false
        showList()
    }

    private func showNext() {
        guard outbox == nil else {
            if !showOutboxPage({ $0.goForward() }) { tell(messages.endOfList) }
            return
        }
        guard list.answer != nil else { return showList() }
        guard list.goForward() else { return tell(messages.endOfList) }
        showList()
    }

    private func showPrevious() {
        guard outbox == nil else {
            // Before the operations is the list from which somebody came.
            if !showOutboxPage({ $0.goBack() }) { showList() }
            return
        }
        guard list.goBack() else { return tell(messages.startOfList) }
        showList()
    }

    private func showLast() {
        list.go(to: .end)
        showList()
    }

    /// Shows the page on which the next group begins, or the one of the group before.
    private func showGroup(isForward: Bool) {
        let ranks = list.groupRanks
        guard list.isGrouped, !ranks.isEmpty else { return tell(messages.noGroups) }
        let here = Int64(list.firstNumber - 1)
        guard let rank = isForward ? ranks.first(where: { $0 > here }) : ranks.last(where: { $0 < here }) else {
            return tell(isForward ? messages.endOfList : messages.startOfList)
        }
        list.go(to: .rank(rank))
        showList()
    }

    // Asking.

    /// The result of a request; nil where it has none, which is told.
    func asking(_ body: () throws(CommandError) -> AnswerValue) -> AnswerValue? {
        do throws(CommandError) {
            let answer = try body()
            if link.find() { tell(messages.daemonBack) }
            return answer
        } catch {
            if case .client(.refused(let refusal)) = error,
                let text = PlainListText.refusal(refusal, of: list.collection, time)
            {
                tell(text)
            } else {
                verbs.report(error, filter: list.filter)
            }
            return nil
        }
    }
}

// The query of the list.

extension PlainBrowser {
    /// Changes the query; a query that is refused is taken back.
    func change(_ body: (inout ListQuery) -> Void) {
        let before = list
        body(&list.query)
        list.begin()
        leave()
        showList()
        if list.answer == nil { list = before }
    }

    func order(_ words: String) {
        guard !words.isEmpty else {
            tell("0. \(messages.ownOrder)")
            for (index, order) in list.collection.offers.orders.enumerated() {
                tell("\(index + 1). \(Escaping.line(order.name))")
            }
            return tell(messages.orFields)
        }
        let (number, orders) = (Int(words), list.collection.offers.orders)
        let named = number.flatMap { orders.indices.contains($0 - 1) ? orders[$0 - 1].name : nil }
        change { $0.order = number == 0 || words == "default" ? nil : named ?? words }
    }

    func view(_ words: String) {
        let views = list.collection.offers.views
        guard !views.isEmpty else { return tell(messages.noViews) }
        guard !words.isEmpty else {
            tell("0. \(messages.without)")
            for (index, view) in views.enumerated() {
                tell("\(index + 1). \(Escaping.line(view.title ?? view.name)); \(Escaping.line(view.name))")
            }
            return
        }
        if Int(words) == 0 { return change { $0.view = nil } }
        let number = Int(words).map { $0 - 1 }
        guard let view = views.enumerated().first(where: { $0.offset == number || $0.element.name == words })?.element
        else {
            let names = views.map { Escaping.line($0.name) }.joined(separator: ", ")
            return tell(messages.noName(Escaping.line(words), among: names))
        }
        change { $0.view = view.name }
    }

    /// Archived records hidden, shown, only these: by name, else the next of the three.
    func archived(_ words: String) {
        let modes: [ArchivedMode] = [.exclude, .include, .only]
        guard words.isEmpty || ArchivedMode(rawValue: words) != nil else {
            return tell(messages.noName(Escaping.line(words), among: modes.map(\.rawValue).joined(separator: ", ")))
        }
        change { query in
            let next = ((modes.firstIndex(of: query.archived) ?? 0) + 1) % modes.count
            query.archived = ArchivedMode(rawValue: words) ?? modes[next]
        }
    }
}
