// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// A version of a record in words: `status: OK → Faulty`.
struct HistoryText {
    let maker: CellMaker

    private var messages: Messages { maker.time.messages }

    /// The maximum width of a value of a version, in cells.
    private static let maxCells = 40

    /// The operation: added, updated, removed and so on.
    func text(_ version: AnswerValue) -> String {
        typealias Version = HistoryResult.Version
        let op = version[Version.op] ?? ""
        let changes = (version[Version.changes]?.members ?? []).map { name, pair in
            let values = pair.elements
            let before = cut(value(values.first, name))
            return "\(heading(name)): \(before) → \(cut(value(values.count > 1 ? values[1] : nil, name)))"
        }
        if !changes.isEmpty { return changes.joined(separator: ", ") }
        let change = messages.change(op)
        return version[Version.values] == false ? "\(change): \(messages.valuesNotKept)" : change
    }

    private func cut(_ value: String) -> String { Fitting.truncate(value, to: Self.maxCells) }

    /// The heading of a field.
    func heading(_ name: String) -> String {
        Escaping.line(maker.collection.field(name)?.heading ?? name)
    }

    /// A value of a field with its label or in the person's time, whole and escaped.
    func value(_ value: AnswerValue?, _ name: String) -> String {
        guard let value, value.kind != .null else { return "–" }
        let text: String
        switch maker.collection.field(name)?.type {
        case .enum?:
            let field = maker.collection.column(name)
            text = maker.collection.code(value.text, of: field)?.label ?? value.text
        case .instant?:
            text = value.string.flatMap { Instant.parse($0) }.map { maker.time.dateAndClock($0.ms) } ?? value.text
        default: text = value.text
        }
        return Escaping.line(text)
    }
}
