// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsTerminal

/// The rows of a list as lines: a table or cards, for one width and one moment.
struct ListRows: Sendable {
    /// The layout, which the list may keep so that its records are not measured again.
    let fit: ListFit
    private let maker: CellMaker
    private let fields: [FieldDescription]
    private let groups: [String: ListGroup]
    private let isGrouped: Bool

    private var messages: Messages { maker.time.messages }

    /// - Parameter width: the cells of a line of a record's text.
    init(_ list: ListState, of collection: CollectionDescription, width: Int, time: LocalTime) {
        maker = CellMaker(collection: collection, time: time)
        fields = collection.list.map(collection.column)
        isGrouped = list.isGrouped
        groups = Dictionary(list.groups.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        fit = ListFit(list, maker, fields: fields, width: width)
    }

    /// The headings of the columns; none for cards.
    var headings: [StyledLine] { fit.layout.headings }

    /// The lines of a record.
    func lines(of row: ListRow) -> [StyledLine] {
        let isArchived = row.record["archived"]?.bool ?? false
        return fit.layout.lines(
            fields.map { maker.cell($0, of: row.record) },
            marks: isArchived ? [Cell("[\(messages.archivedMark)]")] : [])
    }

    /// The heading of a record's group; nil where the list has no groups.
    func groupHeading(of row: ListRow) -> StyledLine? {
        guard isGrouped else { return nil }
        let group = groups[row.group ?? ""]
        let label = group?.label ?? row.group ?? ""
        let total = group.map { " (\(messages.number($0.total)))" } ?? ""
        return StyledLine((label.isEmpty ? "–" : Escaping.line(label)) + total, .bold)
    }

    /// Whether a record stands under another heading than the one before it.
    func beginsGroup(_ row: ListRow, after previous: ListRow?) -> Bool {
        guard isGrouped, let previous else { return false }
        return row.group != previous.group
    }
}
