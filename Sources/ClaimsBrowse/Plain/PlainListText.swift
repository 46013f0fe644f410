// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The lines about a list and its records; pure.
struct PlainListText {
    private let list: PlainList
    private let time: LocalTime
    private let maker: CellMaker
    private var messages: Messages { time.messages }

    /// The maximum width of a text in a line, in cells; everything about a record has it whole. Ids, labels, numbers
    /// and times are never cut.
    private static let maxTextCells = 160

    init(_ list: PlainList, time: LocalTime) {
        self.list = list
        self.time = time
        maker = CellMaker(collection: list.collection, time: time)
    }

    /// The page with all that is said about it.
    var lines: [String] {
        var lines = list.isFirstPage ? [title] : []
        lines += stateLines
        lines += recordLines
        if let namesake = list.namesake {
            lines.append(messages.isRecordID(Escaping.line(namesake.id)))
            lines.append("1. \(line(about: namesake.record))")
        }
        if let range { lines.append(range) }
        return lines
    }

    /// `Units: 57; search pump; sorted by -status`
    var title: String {
        let query = list.query
        var parts = ["\(list.title): \(messages.number(list.total))"]
        if !query.search.isEmpty { parts.append(messages.searched(Escaping.line(query.search))) }
        if !query.filter.isEmpty { parts.append(messages.filtered(Escaping.line(query.filter))) }
        if let view = query.view {
            let title = list.collection.offers.views.first { $0.name == view }?.title
            parts.append(messages.viewed(Escaping.line(title ?? view)))
        }
        if let order = query.order { parts.append(messages.ordered(Escaping.line(order))) }
        switch query.archived {
        case .exclude: break
        case .include: parts.append(messages.withArchived)
        case .only: parts.append(messages.onlyArchived)
        }
        return parts.joined(separator: "; ")
    }

    /// How fresh the list is, where it is not; and why there is nothing, where there is nothing.
    private var stateLines: [String] {
        let meta = list.meta
        guard list.total == 0 else {
            return list.isFirstPage ? [meta.flatMap { FreshnessLine(time).text($0) }].compactMap(\.self) : []
        }
        let isWhole = list.filter == nil && list.query.view == nil && list.query.archived != .only
        if isWhole, meta?.state == "empty" {
            return [messages.noneThere(list.title, at: meta?.asOf.map { time.clock($0) })]
        }
        let fresh = [meta.flatMap { FreshnessLine(time).text($0) }].compactMap(\.self)
        guard isWhole else { return fresh + [messages.noMatch(list.title)] }
        // Where the upstream has some, all are archived.
        let mayBeArchived = list.query.archived == .exclude && list.collection.offers.isArchivable
        let hint = mayBeArchived ? " " + messages.archivedAreHidden : ""
        return fresh + [messages.noneThere(list.title, at: nil) + hint]
    }

    private var recordLines: [String] {
        var lines: [String] = []
        var group: String?
        for (index, row) in list.rows.enumerated() {
            if let key = row.group, key != group {
                group = key
                lines.append(heading(of: key))
            }
            lines.append("\(list.firstNumber + index). \(line(about: row.record))")
        }
        return lines
    }

    private func heading(of key: String) -> String {
        let label = list.collection.groups.first { $0.key == key }?.label ?? messages.otherGroup
        let total = list.page?.groups.first { $0.key == key }?.total
        return Escaping.line(label) + (total.map { " (\(messages.number($0)))" } ?? "") + ":"
    }

    private var range: String? {
        guard !list.rows.isEmpty else { return nil }
        let last = list.firstNumber + list.rows.count - 1
        let range = messages.page(from: Int64(list.firstNumber), to: Int64(last), of: list.total)
        return range + " " + (list.hasNext ? messages.enterShowsMore : messages.endOfList)
    }

    /// A record on one line: title, labels, id, the other fields with their headings, marks.
    func line(about record: AnswerValue) -> String {
        let description = list.collection
        let listed = description.list.map(description.column)
        func text(_ field: FieldDescription) -> String? {
            guard let value = record[utf8: field.key] else { return nil }
            if field.type == .enum {
                return Escaping.line(description.code(value.text, of: field)?.label ?? value.text)
            }
            let text = maker.cell(field, of: record).text
            if text.isEmpty { return nil }
            let isText = [.text, .url, .json].contains(field.type)
            return isText ? Fitting.wrapCut(text, to: Self.maxTextCells, lines: 1)[0] : text
        }
        var parts = description.fields.filter(\.isEmphasized).compactMap(text)
        parts += listed.filter { $0.type == .enum && !$0.isEmphasized }.compactMap(text)
        if let id = record["id"]?.text { parts.append(Escaping.line(id)) }
        for field in listed where field.type != .enum && field.type != .id && !field.isEmphasized {
            if let text = text(field) { parts.append("\(Escaping.line(field.heading)) \(text)") }
        }
        if list.isArchived(record) { parts.append(messages.archivedMark) }
        if let state = record["pending"]?[PendingMark.state] { parts.append(Escaping.line(messages.pending(state))) }
        return parts.joined(separator: "; ")
    }

    /// Why there is no list, by the state of the collection.
    static func refusal(_ refusal: Refusal, of collection: CollectionDescription, _ time: LocalTime) -> [String]? {
        guard refusal.kind == ErrorKind.noData.rawValue, let meta = AnswerMeta(refusal.data?[Member<Meta>.meta])
        else { return nil }
        let messages = time.messages
        let title = Escaping.line(collection.title)
        var lines: [String]
        switch meta.state {
        case "loading": lines = [messages.loading(title) + " " + messages.enterAsksAgain]
        case "unconfigured": lines = [messages.noUpstream(title)]
        case "withheld":
            let why = FreshnessLine(time).why(meta).map { messages.capitalized($0) }
            lines = [messages.withheld(title, because: Escaping.line(refusal.message))]
            lines += [why, messages.rTriesAgain].compactMap(\.self)
        default:
            let why = FreshnessLine(time).why(meta)
            lines = [
                messages.unableToLoad(title, why ?? Escaping.line(refusal.message)), messages.rTriesAgain,
            ]
        }
        if let hint = refusal.hint, meta.state == "unconfigured" { lines.append(Escaping.line(hint)) }
        return lines
    }
}
