// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsQuery

/// The operators of filters, with the types they apply to.
enum OperatorsPart {
    static var block: Block {
        .table(
            header: ["Operator", "In letters", "Takes", "Finds records whose value"],
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
