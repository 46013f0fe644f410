// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsModel

/// A converter from the values of a record to cells: labels for codes, local and relative times, badges.
public struct CellMaker: Sendable {
    /// The description of the collection that the records belong to.
    public let collection: CollectionDescription
    /// The zone and the present time, for the times in cells.
    public let time: LocalTime

    /// Makes a converter for the records of one collection.
    public init(collection: CollectionDescription, time: LocalTime) {
        self.collection = collection
        self.time = time
    }

    /// The cell of a field in a list; a missing value gives an empty cell.
    ///
    /// Text from the record is escaped, without line ends.
    public func cell(_ field: FieldDescription, of record: AnswerValue) -> Cell {
        guard let value = record[utf8: field.key] else { return Cell("") }
        switch field.type {
        case .enum:
            return code(value.text, field)
        case .instant:
            return Cell(
                value.string.flatMap { Instant.parse($0) }.map { time.short($0.ms) } ?? Escaping.line(value.text))
        case .bool:
            return Cell(value.bool.map { $0 ? time.messages.yes : time.messages.no } ?? Escaping.line(value.text))
        case .id, .text, .integer, .decimal, .date, .url, .json:
            return Cell(Escaping.line(value.text), style: field.isEmphasized ? .bold : .plain)
        }
    }

    private func code(_ code: String, _ field: FieldDescription) -> Cell {
        let description = collection.code(code, of: field)
        if let description, description.badge != nil {
            return Cell(description.shown, style: .badge, isBadge: true)
        }
        return Cell(description?.shown ?? Escaping.line(code), style: field.isEmphasized ? .bold : .plain)
    }

    /// The cell of a field in the view of one record: the whole value, with its line ends; nil for a missing value.
    public func detail(_ field: FieldDescription, of record: AnswerValue) -> Cell? {
        guard let value = record[utf8: field.key] else { return nil }
        switch field.type {
        case .enum:
            let cell = code(value.text, field)
            // The text that the upstream sent where it is none of the codes.
            let raw = record["\(field.name).raw"].map { Escaping.line($0.text) }
            let label = Escaping.line(collection.code(value.text, of: field)?.label ?? value.text)
            let code = Escaping.line(value.text)
            let details = [label == code ? nil : code, raw].compactMap(\.self).joined(separator: "; ")
            return Cell(
                details.isEmpty ? label : "\(label) (\(details))", style: cell.style, isBadge: cell.isBadge)
        case .instant:
            return Cell(
                value.string.flatMap { Instant.parse($0) }.map { time.long($0.ms) } ?? Escaping.line(value.text))
        case .bool:
            return cell(field, of: record)
        case .id, .text, .integer, .decimal, .date, .url, .json:
            return Cell(Escaping.lines(value.text), style: field.isEmphasized ? .bold : .plain)
        }
    }
}
