// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// A renderer for the pages of a list as they arrive. It takes answers and returns text, and touches nothing else.
///
/// The first page decides the widths of the columns; a later one makes them wider where an id, label, number or time
/// would be cut. Records of one collection stand under the headings of its groups; those of several collections stand
/// under the collections' titles.
public struct ListRenderer {
    private let collections: [String: CollectionDescription]
    /// The one collection that was asked for.
    private let single: CollectionDescription?
    private let fields: [String]
    private let isWide: Bool
    private let showsArchived: Bool
    private let width: Int?
    private let isColored: Bool
    private let time: LocalTime
    /// Totals of the sections, by group key or collection name.
    private var totals: [String: Int64] = [:]
    private var section: String?
    /// Whether the list goes on after its first page, so that columns keep room for labels that may come.
    private var goesOn = false
    /// Whether the list has records with operations that are not settled; nil before the first page.
    private var showsPending: Bool?
    private var layouts: [String: ListLayout] = [:]
    private var hasPrinted = false

    /// Makes a renderer for one list.
    ///
    /// - Parameters:
    ///   - collections: the descriptions of the collections that can occur.
    ///   - single: the only collection of the list; nil for a list over several.
    ///   - fields: the names of the columns; empty for those of the definition's list.
    ///   - isWide: whether all fields are shown and no value is cut.
    ///   - showsArchived: whether a further column marks archived records.
    ///   - width: the width of a line in cells; nil for no limit.
    public init(
        collections: [CollectionDescription], single: CollectionDescription?, fields: [String] = [],
        isWide: Bool = false, showsArchived: Bool = false, width: Int?, isColored: Bool, time: LocalTime
    ) {
        self.collections = Dictionary(collections.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.single = single
        self.fields = fields
        self.isWide = isWide
        self.showsArchived = showsArchived
        self.width = isWide ? nil : width
        self.isColored = isColored
        self.time = time
    }

    /// The text of the records of one page.
    ///
    /// - Parameters:
    ///   - answer: the result of `search` or `sort`, or a `records` notification.
    ///   - isGrouped: whether the records come group by group.
    ///   - goesOn: whether another page follows; nil if the answer says it.
    public mutating func render(_ answer: AnswerValue, isGrouped: Bool, goesOn: Bool? = nil) -> String {
        note(answer)
        let records = answer["records"]?.elements ?? []
        if records.isEmpty { return "" }
        if showsPending == nil { showsPending = RecordMarks.arePending(in: answer) }
        if !hasPrinted { self.goesOn = goesOn ?? (answer["next"] != nil) }
        var text = ""
        var start = 0
        while start < records.count {
            let key = section(of: records[start], isGrouped: isGrouped)
            var end = start + 1
            while end < records.count, section(of: records[end], isGrouped: isGrouped) == key { end += 1 }
            render(records[start..<end], section: key, all: records, isGrouped: isGrouped, into: &text)
            start = end
        }
        return text
    }

    /// Records the totals of an answer, for the headings of records that come before it.
    public mutating func note(_ answer: AnswerValue) {
        for group in answer["groups"]?.elements ?? [] {
            // Records whose code is in no group come last, under a key of null.
            totals[group["key"]?.string ?? ""] = group["total"]?.integer
        }
        for (name, total) in answer["totals"]?.members ?? [] { totals[name] = total.integer }
    }

    /// The key of the heading under which a record stands.
    private func section(of record: AnswerValue, isGrouped: Bool) -> String {
        guard let single else { return record["collection"]?.string ?? "" }
        guard isGrouped, let field = single.groupBy.flatMap({ single.field($0) }) else { return "" }
        return record[utf8: field.key].flatMap { single.code($0.text, of: field)?.group } ?? ""
    }

    private func columns(of collection: CollectionDescription) -> [FieldDescription] {
        if !fields.isEmpty { return fields.map(collection.column) }
        if isWide { return collection.fields }
        return collection.list.map(collection.column)
    }

    private mutating func render(
        _ records: ArraySlice<AnswerValue>, section key: String, all: [AnswerValue], isGrouped: Bool,
        into text: inout String
    ) {
        let fallback = CollectionDescription(
            name: key, title: key, singular: key, fields: [FieldDescription(name: "id", type: .id)], list: ["id"])
        let collection = single ?? collections[key] ?? fallback
        let maker = CellMaker(collection: collection, time: time)
        let fields = columns(of: collection)
        // Fields that were named are all that is wanted.
        let marks = RecordMarks(self.fields.isEmpty ? [collection] : [])
        let showsPending = showsPending ?? false
        func row(_ record: AnswerValue) -> [Cell] {
            let isArchived = record["archived"]?.bool ?? false
            return fields.map { maker.cell($0, of: record) }
                + (showsArchived ? [Cell(isArchived ? time.messages.yes : "")] : [])
                + marks.cells(
                    of: record, collection.name, showsPending: showsPending, messages: time.messages)
        }
        let rows = records.map(row)
        let isNew = layouts[collection.name] == nil
        // The groups of one collection share their columns, so that they line up.
        var layout =
            layouts[collection.name]
            ?? ListLayout(
                columns: fields.map { LayoutColumn($0, reserved: goesOn ? collection.widestLabel(of: $0) : 0) }
                    + (showsArchived ? [LayoutColumn(heading: time.messages.heading(.archived), kind: .mark)] : [])
                    + marks.columns(showsPending: showsPending, time.messages),
                rows: single == nil ? rows : all.map(row), width: width)
        for row in rows { layout.admit(row) }
        layouts[collection.name] = layout
        if single != nil, isNew { append(layout.headings, to: &text) }
        if section != key {
            if !key.isEmpty || (isGrouped && single != nil) {
                let title = single == nil ? collection.title : group(key, in: collection)
                append(heading: title, total: totals[key], to: &text)
            }
            if single == nil { append(layout.headings, to: &text) }
            section = key
        }
        for (record, row) in zip(records, rows) {
            let isMarked = showsArchived && record["archived"]?.bool ?? false
            append(
                layout.lines(row, marks: isMarked ? [Cell("[\(time.messages.archivedMark)]", style: .badge)] : []),
                to: &text)
        }
        hasPrinted = true
    }

    private func group(_ key: String, in collection: CollectionDescription) -> String {
        collection.groups.first { $0.key == key }?.label ?? (key.isEmpty ? "–" : key)
    }

    private func append(heading: String, total: Int64?, to text: inout String) {
        if hasPrinted { text += "\n" }
        let title = Escaping.line(heading) + (total.map { " (\(time.messages.number($0)))" } ?? "")
        text += Style.heading.apply(to: title, isColored: isColored) + "\n"
    }

    private func append(_ lines: [StyledLine], to text: inout String) {
        for line in lines {
            text += line.text(isColored: isColored)
            text += "\n"
        }
    }
}

/// The columns of a list beside the fields of its records: how many files a record has, and what becomes of its
/// operations that are not settled.
struct RecordMarks {
    /// The fields that list files, by the names of the collections that take some.
    private let fileFields: [String: [UInt8]]
    private let hasPending: Bool

    /// The columns for lists of these collections.
    init(_ collections: [CollectionDescription]) {
        var fields: [String: [UInt8]] = [:]
        for collection in collections {
            if let field = collection.writes?.fileField { fields[collection.name] = Array(field.utf8) }
        }
        fileFields = fields
        hasPending = collections.contains { $0.writes?.isUpstream == true }
    }

    /// The names of the columns as data.
    var names: [String] { (fileFields.isEmpty ? [] : ["files"]) + (hasPending ? ["pending"] : []) }

    /// The values of a record as data, in the order of ``names``.
    ///
    /// - Parameter collection: the name of the record's collection.
    func data(of record: AnswerValue, _ collection: String) -> [String] {
        var values: [String] = []
        if !fileFields.isEmpty { values.append(count(of: record, collection).map { String($0) } ?? "") }
        if hasPending { values.append(record["pending"]?[PendingMark.state] ?? "") }
        return values
    }

    /// The columns that people read.
    ///
    /// - Parameter showsPending: whether any record of the list has operations that are not settled.
    func columns(showsPending: Bool, _ messages: Messages) -> [LayoutColumn] {
        (fileFields.isEmpty ? [] : [LayoutColumn(heading: messages.heading(.files), isRight: true)])
            + (hasPending && showsPending ? [LayoutColumn(heading: messages.heading(.pending))] : [])
    }

    /// The cells of a record, in the order of ``columns(showsPending:_:)``.
    func cells(of record: AnswerValue, _ collection: String, showsPending: Bool, messages: Messages) -> [Cell] {
        var cells: [Cell] = []
        if !fileFields.isEmpty { cells.append(Cell(count(of: record, collection).map { String($0) } ?? "")) }
        if hasPending, showsPending {
            let state = record["pending"]?[PendingMark.state] ?? ""
            let isStuck = state == PendingState.stuck.rawValue
            cells.append(Cell(Escaping.line(messages.pending(state)), style: isStuck ? .warning : .plain))
        }
        return cells
    }

    private func count(of record: AnswerValue, _ collection: String) -> Int? {
        guard let key = fileFields[collection] else { return nil }
        let pending = record["pending"]?[PendingMark.attachments] ?? []
        return (record[utf8: key]?.elements.count ?? 0) + pending.count
    }

    /// Whether a page has records with operations that are not settled, or its collections have some.
    static func arePending(in answer: AnswerValue) -> Bool {
        if answer[SearchResult.records].contains(where: { $0["pending"] != nil }) { return true }
        guard let meta: AnswerValue = answer[SearchResult.meta] else { return false }
        return ([meta] + meta[SpanningMeta.collections]).contains { meta in
            guard let counts = meta[Meta.pending] else { return false }
            return counts.members.contains { ($0.value.integer ?? 0) > 0 }
        }
    }
}
