// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

// Records: what is known of one, and what can be done with it.

extension PlainBrowser {
    /// The ids of the numbers, or of the record that was opened last; nil where there is none, which is told.
    private func ids(_ numbers: [Int], _ words: String) -> [String]? {
        if !words.isEmpty, numbers.isEmpty {
            tell(messages.noNumber(Escaping.line(words)))
            return nil
        }
        if numbers.isEmpty {
            if opened == nil { tell(messages.whichRecord) }
            return opened.map { [$0] }
        }
        var ids: [String] = []
        for number in numbers {
            guard let id = list.id(number) else {
                tell(messages.noNumber(String(number)))
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
        if ids.count == 1 { body(id) } else { tell(messages.whichRecord) }
    }

    /// Shows the record or operation of a number.
    func open(_ number: Int) {
        if let outbox {
            guard let operation = outbox.operation(number) else { return tell(messages.noNumber(String(number))) }
            verbs.run(["outbox", "get", operation[OutboxResult.Operation.op] ?? ""])
            return
        }
        guard let id = list.id(number) else { return tell(messages.noNumber(String(number))) }
        show(id)
    }

    /// Shows the record after or before the one that was opened last.
    func step(by distance: Int) {
        guard let opened, let index = list.records.firstIndex(where: { $0["id"]?.text == opened }) else {
            return tell(messages.noRecordOpen)
        }
        var next = index + distance
        if next < 0 {
            guard list.goBack() else { return tell(messages.startOfList) }
            showList()
            next = list.records.count - 1
        } else if next >= list.records.count {
            guard list.goForward() else { return tell(messages.endOfList) }
            showList()
            next = 0
        }
        guard list.records.indices.contains(next), let id = list.records[next]["id"]?.text else { return }
        show(id)
    }

    func detail(_ id: String) -> AnswerValue? {
        asking { () throws(CommandError) in try verbs.call(.detail, detailParameters(id)) }
    }

    /// The request for all that is known of a record.
    func detailParameters(_ id: String) -> DetailParameters {
        var parameters = DetailParameters()
        parameters.collection = list.collection.name
        parameters.id = RecordID(id)
        parameters.language = context.language
        return parameters
    }

    private func show(_ id: String) {
        guard let answer = detail(id) else { return }
        opened = id
        let maker = CellMaker(collection: list.collection, time: time)
        write(DetailText(maker, width: context.surroundings.width, isColored: false).text(answer, withUpstream: false))
        showHistory(id)
    }

    /// The last changes of a record, newest first. Where the daemon keeps none, nothing is said.
    private func showHistory(_ id: String) {
        typealias Version = HistoryResult.Version
        var parameters = HistoryParameters()
        parameters.collection = list.collection.name
        parameters.id = RecordID(id)
        parameters.language = context.language
        parameters.limit = 5
        guard let answer = asking({ () throws(CommandError) in try verbs.call(.history, parameters) }) else { return }
        let versions = answer[HistoryResult.versions]
        if !versions.isEmpty { write("\n\(messages.historyTitle)\n") }
        for version in versions {
            let at = version[Version.at]?.string.flatMap { Instant.parse($0) }.map { time.short($0.ms) } ?? ""
            var changes: [String] = []
            for (name, pair) in version[Version.changes]?.members ?? [] {
                let values = pair.elements.map { $0.kind == .null ? "–" : Escaping.line($0.text) }
                changes.append("\(Escaping.line(name)): \(values.joined(separator: " → "))")
            }
            tell(([at, messages.change(version[Version.op] ?? "")] + changes).joined(separator: "; "))
        }
    }

    func showJSON(_ id: String) {
        guard let record = detail(id)?[DetailResult.record] else { return }
        showJSON(record)
    }

    /// Prints a value on one line, as JSON, so that it can be taken elsewhere.
    func showJSON(_ record: AnswerValue) {
        write(String(decoding: JSONLayout.terminalSafe(Array(record.source.utf8)), as: UTF8.self) + "\n")
    }

    func showUpstream(_ id: String) {
        guard let upstream = detail(id)?[DetailResult.upstream] else { return }
        let json = JSONLayout.indented(JSONLayout.terminalSafe(Array(upstream.source.utf8)))
        write(String(decoding: json, as: UTF8.self) + "\n")
    }

    /// Opens a file or address: `o 3`, `o 3 2` for the second one.
    func openFile(_ numbers: [Int]) {
        withRecord(Array(numbers.prefix(1)), "") { id in
            let number = numbers.dropFirst().first.map { [String($0)] } ?? []
            verbs.run(["open", "--collection", list.collection.name, "--", id] + number)
        }
    }

    func deal() {
        var parameters = DealParameters()
        parameters.collection = list.collection.name
        parameters.language = context.language
        guard let answer = asking({ () throws(CommandError) in try verbs.call(.deal, parameters) }) else { return }
        tell("*** \(Escaping.line(answer[DealResult.message] ?? "")) ***")
        guard let record = answer[DealResult.record] else { return }
        opened = record["id"]?.text
        tell(PlainListText(list, time: time).line(about: record))
    }

    // The archive.

    /// Archives records, or takes them out of the archive, each as the opposite of what it is.
    func archive(_ numbers: [Int], _ words: String) {
        withRecords(numbers, words) { ids in
            let archived = ids.filter { list.isArchived($0) }
            let others = ids.filter { !list.isArchived($0) }
            if !others.isEmpty { mark(others, isArchiving: true, collection: list.collection.name, isUndo: false) }
            if !archived.isEmpty { mark(archived, isArchiving: false, collection: list.collection.name, isUndo: false) }
        }
    }

    func undo() {
        guard let last = undoable.popLast() else { return tell(messages.nothingToUndo) }
        mark(last.ids, isArchiving: !last.wasArchived, collection: last.collection, isUndo: true)
    }

    private func mark(_ ids: [String], isArchiving: Bool, collection: String, isUndo: Bool) {
        var parameters = ArchiveParameters()
        parameters.collection = collection
        parameters.ids = RecordIDList(ids)
        if collection == list.collection.name { news.expect(ids) }
        guard
            let answer = asking({ () throws(CommandError) in
                try verbs.call(isArchiving ? .archive : .unarchive, parameters)
            })
        else { return }
        func names(_ member: Member<[String]>) -> String? {
            let ids = answer[member].map { Escaping.line($0.text) }
            return ids.isEmpty ? nil : ids.joined(separator: ", ")
        }
        if let changed = names(ArchiveResult.changed) {
            let ids = answer[ArchiveResult.changed].map(\.text)
            if collection == list.collection.name { list.mark(ids, isArchived: isArchiving) }
            let told = isArchiving ? messages.archivedNow(changed) : messages.unarchivedNow(changed)
            tell(isUndo ? told : "\(told) \(messages.undoes)")
            if !isUndo {
                undoable.append(PlainUndo(collection: collection, ids: ids, wasArchived: isArchiving))
                if undoable.count > Self.maxUndos { undoable.removeFirst() }
            }
        }
        if let unchanged = names(ArchiveResult.unchanged) { tell(messages.alreadySo(unchanged)) }
        if let missing = names(ArchiveResult.missing) { tell(messages.notThere(missing)) }
    }
}

// The actions of a record.

extension PlainBrowser {
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
                possible.map { Escaping.line(offered[$0].title) } + [messages.shareTitle]
                + impossible.map { "(\(Escaping.line(offered[$0].title)): \(obstacles[$0] ?? ""))" }
            guard let index = chosen(among: titles) else { return }
            guard index != possible.count else { return share(id) }
            guard index < possible.count else {
                return tell(obstacles[impossible[index - possible.count - 1]] ?? "")
            }
            let action = offered[possible[index]].name
            if action == "delete" {
                news.expect([id])
                verbs.run(["delete", "--collection", list.collection.name, "--", id])
            } else {
                submit(action, id: id)
            }
        }
    }

    /// The reason why an action cannot be done with a record; nil where it can, as far as the daemon says.
    private func obstacle(to action: OfferedAction, with id: String) -> String? {
        if let obstacle = messages.obstacle(to: action.name, in: list.collection) { return obstacle }
        guard let condition = RecordCondition(of: action, id: id, in: list.collection),
            let answer = try? verbs.call(.count, condition.parameters(zone: context.zoneParameter))
        else { return nil }
        return condition.obstacle(answer, messages)
    }

    /// Writes a record and its files into a folder, after asking which.
    private func share(_ id: String) {
        guard let answer = answer(to: "\(messages.shareQuestion): ") else { return }
        let path = FormFile(line: EditedLine(answer), state: .typed).path
        guard !path.isEmpty else { return }
        verbs.run(["share", "--collection", list.collection.name, "--", id, path])
    }

    /// Lists titles by numbers and asks for one; nil for none.
    func chosen(among titles: [String]) -> Int? {
        for (index, title) in titles.enumerated() { tell("\(index + 1). \(title)") }
        guard let answer = answer(to: "\(messages.choose): "), !answer.isEmpty else { return nil }
        guard let number = Int(answer), titles.indices.contains(number - 1) else {
            tell(messages.noNumber(Escaping.line(answer)))
            return nil
        }
        return number - 1
    }
}
