// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsQuery

/// The operators of filters, with the types they apply to.
enum OperatorsPart {
    static var block: Block {
        .table(
            header: ["Operator", "In letters", "For fields of", "Finds records whose value"],
            rows: FilterOperator.allCases.map { comparator in
                let letters = "`.\(comparator.rawValue)=`"
                let isInLetters = comparator.symbol == ".\(comparator.rawValue)="
                return [
                    "`\(comparator.symbol)`", isInLetters ? "" : letters, types(comparator), meaning(comparator),
                ]
            })
    }

    private static func types(_ comparator: FilterOperator) -> String {
        let refusing = FieldType.allCases.filter { !$0.takes(comparator) }
        if refusing.count > 3 { return FieldType.allCases.filter { $0.takes(comparator) }.named }
        return refusing.isEmpty ? "all types" : "all types but " + refusing.named
    }

    private static func meaning(_ comparator: FilterOperator) -> String {
        switch comparator {
        case .eq: "equals the value, or any of a comma list"
        case .ne: "does not equal it, nor any of a comma list; also records without a value"
        case .has: "contains the text, or any of a comma list"
        case .lacks: "does not contain it, nor any of a comma list; also records without a value"
        case .starts: "starts with the text, or any of a comma list"
        case .gt: "is greater; for dates: lies after its end"
        case .ge: "is greater or equal; for dates: lies at its start or after"
        case .lt: "is less; for dates: lies before its start"
        case .le: "is less or equal; for dates: lies before its end"
        case .before: "is less: another word for `<`"
        case .after: "is greater: another word for `>`"
        }
    }
}

extension [FieldType] {
    fileprivate var named: String { map { "`\($0.rawValue)`" }.joined(separator: ", ") }
}

/// The types of fields.
enum FieldTypesPart {
    static var block: Block {
        .table(
            header: ["Type", "Order", "Filters", "Values"],
            rows: FieldType.allCases.map { ["`\($0.rawValue)`", order($0), operators($0), meaning($0)] })
    }

    private static func operators(_ type: FieldType) -> String {
        let symbols = type.operators.filter { $0 != .before && $0 != .after }.map { "`\($0.symbol)`" }
        return symbols.isEmpty ? "presence only" : symbols.joined(separator: " ")
    }

    private static func order(_ type: FieldType) -> String {
        switch type {
        case .id: "natural: runs of digits count as numbers of any length, 2 before 10"
        case .text: "by the folded text, then by its bytes"
        case .enum: "by rank, then by code"
        case .integer, .decimal: "by value, exactly"
        case .instant, .date: "by time"
        case .bool: "false before true"
        case .url: "by its bytes"
        case .json: "none"
        }
    }

    private static func meaning(_ type: FieldType) -> String {
        switch type {
        case .id: "What the record is called: a string, or a number as its digits."
        case .text: "A string, as it came."
        case .enum: "A code of a vocabulary, compared without case and with space, `-` and `_` taken as equal."
        case .integer: "A whole number of any length; a string of digits counts."
        case .decimal:
            "An exact number with the digits it came with, never binary floating point; a numeric string counts."
        case .instant: "A moment as RFC 3339 writes it, with any offset and any fraction; kept in milliseconds, UTC."
        case .date: "A calendar day, `2026-11-20`."
        case .bool: "True or false."
        case .url: "A string that is an address."
        case .json: "Any JSON value; shown, never searched or sorted."
        }
    }
}
