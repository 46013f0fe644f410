// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON

/// `facets`: how often each value of some fields occurs. `--fields` names them, and all terms are a filter; without it,
/// words name fields, and what has an operator is a filter.
enum FacetsCommand {
    static func run(_ session: Session) throws(CommandError) -> ExitCode {
        let invocation = session.invocation
        if invocation.wantsFieldHelp { return try FieldHelp.run(session) }
        var fields = invocation.fields
        let areWordsFields = fields.isEmpty
        var terms: [Term] = []
        for term in invocation.terms {
            if areWordsFields, case .argument(let text) = term, !FilterComposer.isFilter(text),
                terms.isEmpty || !isJoiner(text)
            {
                fields += ArgumentParser.list(text)
            } else {
                terms.append(term)
            }
        }
        if let filter = invocation.filter { terms.append(.argument(filter)) }
        guard !fields.isEmpty else {
            throw .usage(UsageError("'facets' needs a field", hint: "for example: claimsctl facets --book shelf"))
        }
        session.filter = FilterComposer.compose(terms)
        let zone = session.filter == nil && invocation.view == nil ? nil : session.zoneParameter
        let language = session.format.isForPeople ? session.language : session.explicitLanguage
        let connection = try session.connection()
        var described: Connection.RequestID?
        if session.format.isForPeople, let name = invocation.selector?.name {
            described = DescribeRequest.send(name, session, on: connection)
        }
        let id = connection.request("facets") { writer in
            if let selector = invocation.selector { writer.member("collection", selector.name) }
            writer.list("fields", fields)
            if let filter = session.filter { writer.member("filter", filter) }
            if let view = invocation.view { writer.member("view", view) }
            if let archived = invocation.archived { writer.member("archived", archived.rawValue) }
            if let maxAge = invocation.maxAge { writer.member("max_age_ms", maxAge) }
            if let zone { writer.member("time_zone", zone) }
            if let language { writer.member("lang", language) }
        }
        let answer = try session.answer(to: id)
        var collection: CollectionDescription?
        if let described { collection = DescribeRequest.collections(in: try session.answer(to: described)).first }
        try print(answer, collection, session)
        try session.flush()
        session.noticeFreshness(answer["meta"])
        return .done
    }

    private static func isJoiner(_ text: String) -> Bool {
        text == "and" || text == "or" || text == "not"
    }

    private static func print(
        _ answer: AnswerValue, _ collection: CollectionDescription?, _ session: Session
    ) throws(CommandError) {
        guard let facets = answer["facets"] else { return }
        switch session.format {
        case .json, .jsonl:
            try session.emit(json: answer)
        case .table, .wide:
            try session.show(FacetText.text(facets, collection, width: session.width, isColored: session.isColored))
        case .tsv, .csv, .name:
            var rows = RowSet(["field", "value", "label", "count"].map { ($0, Column(heading: $0)) })
            for (field, values) in facets.members {
                for value in values.elements {
                    let texts = [
                        field, value["value"]?.text ?? "", value["label"]?.text ?? "", value["count"]?.text ?? "",
                    ]
                    rows.append(texts.map { ($0, Cell($0)) })
                }
            }
            try session.emit(rows, naming: 1)
        }
    }
}
