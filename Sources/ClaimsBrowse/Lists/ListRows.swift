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

    /// - Parameters:
    ///   - width: the cells of a line of a record's text.
    ///   - groups: the groups with their totals; nil for rows without groups.
    ///   - fit: an earlier layout of the list, which goes on if it was made for the same screen.
    init(
        _ rows: [ListRow], groups: [ListGroup]? = nil, fit: ListFit? = nil, of collection: CollectionDescription,
        width: Int, time: LocalTime
    ) {
        maker = CellMaker(collection: collection, time: time)
        fields = collection.list.map(collection.column)
        isGrouped = groups != nil
        self.groups = Dictionary((groups ?? []).map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        self.fit = ListFit(rows, after: fit, maker, fields: fields, width: width)
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

    /// The heading of a record's group; nil if the list has no groups.
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

/// The layout of a list's records for one width, as far as they have been measured.
///
/// Only records that are new are measured, so that a key or a change costs no more the longer the list is.
struct ListFit: Sendable {
    /// The question and the size that the layout was made for; others need another layout.
    private struct Basis: Equatable {
        let width: Int
        let headings: [String]
        let reserved: [Int]
    }

    private let basis: Basis
    private(set) var layout: ListLayout
    /// The records that have been measured, by their ids.
    private var measured: [String: AnswerValue] = [:]

    /// The maximum number of records that are remembered as measured; beyond, all are measured anew.
    private static let maxMeasured = 4 * ListPage.maxHeldRows

    /// The layout of a list's records, which goes on where an earlier one was made for the same screen.
    ///
    /// - Parameters:
    ///   - maker: makes the cells of the collection's records.
    ///   - width: the cells of a line of a record's text.
    ///   - fit: an earlier layout of the list.
    init(_ rows: [ListRow], after fit: ListFit?, _ maker: CellMaker, fields: [FieldDescription], width: Int) {
        let collection = maker.collection
        // A column keeps room for what may come, so that pages line up.
        let reserved = fields.map { field in
            field.type == .instant ? Self.instantCells(maker.time) : collection.widestLabel(of: field)
        }
        let basis = Basis(width: width, headings: fields.map(\.heading), reserved: reserved)
        let isNew = rows.allSatisfy { fit?.measured[$0.id] == nil }
        if let fit, fit.basis == basis, !isNew, fit.measured.count < Self.maxMeasured {
            self = fit
            for row in rows {
                if let known = measured[row.id], known.isSame(as: row.record) { continue }
                measured[row.id] = row.record
                layout.admit(fields.map { maker.cell($0, of: row.record) })
            }
            return
        }
        self.basis = basis
        let columns = zip(fields, reserved).map { LayoutColumn($0, reserved: $1) }
        let cells = rows.map { row in fields.map { maker.cell($0, of: row.record) } }
        layout = ListLayout(columns: columns, rows: cells, width: width, indent: 0)
        for row in rows { measured[row.id] = row.record }
    }

    /// The cells of the widest instant of a list, which becomes older while it is shown.
    private static func instantCells(_ time: LocalTime) -> Int {
        let (minute, hour, day): (Int64, Int64, Int64) = (59 * 60_000, 23 * 3_600_000, 6 * 86_400_000)
        return [-minute, -hour, -day, minute, hour, day, -400 * day].reduce(0) { widest, distance in
            max(widest, DisplayWidth.cells(of: time.short(time.now + distance)))
        }
    }
}

extension AnswerValue {
    /// Whether both are the same value of the same line.
    fileprivate func isSame(as other: AnswerValue) -> Bool { document === other.document && node == other.node }
}
