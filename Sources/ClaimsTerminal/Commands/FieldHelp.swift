// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel

/// `--fields help`: which fields there are.
enum FieldHelp {
    static func run(_ session: Session) throws(CommandError) -> ExitCode {
        let connection = try session.connection()
        let id = DescribeRequest.send(session.invocation.selector?.name, session, on: connection)
        let answer = try session.answer(to: id)
        if session.format.isJSON {
            try session.emit(json: answer)
            return .done
        }
        let collections = DescribeRequest.collections(in: answer)
        var rows = RowSet(
            (collections.count > 1 ? [("collection", Column(heading: "COLLECTION"))] : []) + [
                ("field", Column(heading: "FIELD")), ("type", Column(heading: "TYPE")),
                ("list", Column(heading: "LIST")), ("operators", Column(heading: "OPERATORS", isElastic: true)),
                ("title", Column(heading: "TITLE", isElastic: true)),
            ])
        for collection in collections {
            for field in collection.fields {
                let isListed = collection.list.contains(field.name)
                let operators = field.operators.joined(separator: " ")
                let name = Escaping.line(collection.name)
                rows.append(
                    (collections.count > 1 ? [(collection.name, Cell(name))] : []) + [
                        (field.name, Cell(Escaping.line(field.name), style: .bold)),
                        (field.type.rawValue, Cell(field.type.rawValue)),
                        (isListed ? "true" : "false", Cell(isListed ? "yes" : "")),
                        (operators, Cell(Escaping.line(operators))),
                        (field.title ?? "", Cell(Escaping.line(field.title ?? ""))),
                    ])
            }
        }
        try session.emit(rows, naming: collections.count > 1 ? 1 : 0)
        try session.flush()
        return .done
    }
}
