// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let facets = Verb(
        "facets",
        summary: TranslatedText(
            en: "count records by the values of fields",
            pl: "liczy rekordy według wartości pól"),
        synopsis: "SELECTOR FIELD… [TERMS…]",
        details: TranslatedText(
            en: """
                Counts records by the values of the fields named. Arguments with an operator are a filter; with
                --fields, all arguments are. A terminal shows bars beside the numbers where there is room; --plot does
                so into a pipe too.
                """,
            pl: """
                Liczy rekordy według wartości podanych pól. Argumenty z operatorem są filtrem; z --fields są nim
                wszystkie argumenty. Terminal pokazuje obok liczb słupki, jeśli jest miejsce; --plot robi to także do
                potoku.
                """),
        options: [.fields, .view, .archived, .text, .filter, .maxAge, .plot], terms: .fields)
}

/// `facets`: how often each value of some fields occurs. `--fields` names them, and all terms are a filter; without it,
/// words name fields, and what has an operator is a filter.
enum FacetsCommand {
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let invocation = context.invocation
        if invocation.wantsFieldHelp { return try FieldHelp.run(context) }
        let (fields, terms) = fieldsAndTerms(invocation)
        guard !fields.isEmpty else {
            throw .usage(
                UsageError(
                    en: "'facets' needs a field", pl: "„facets” wymaga pola",
                    hint: .example("claimsctl facets --collection NAME FIELD")))
        }
        guard let collection = invocation.selector?.name else {
            throw .usage(
                .needsCollection("facets", "claimsctl facets --collection NAME \(fields[0])"))
        }
        var parameters = FacetsParameters()
        parameters.collection = collection
        parameters.fields = NameList(fields)
        parameters.selection = context.selection(filteredBy: terms)
        let connection = try context.connection()
        var described: ClientConnection.RequestNumber?
        if context.format.isForPeople { described = try context.requestDescription(of: collection) }
        let answer = try context.answer(to: connection.request(.facets, parameters))
        var description: CollectionDescription?
        if let described { description = try context.descriptions(described).first }
        if let presentation = presentation(of: answer, description) { try context.print(presentation) }
        try context.flush()
        context.noticeFreshness(answer[FacetsResult.meta])
        return .done
    }

    private static func fieldsAndTerms(_ invocation: Invocation) -> (fields: [String], terms: [Term]) {
        var fields = invocation.fields
        let areTermsFields = fields.isEmpty
        var terms: [Term] = []
        for term in invocation.terms {
            if areTermsFields, case .argument(let text) = term, !FilterComposer.isFilter(text),
                terms.isEmpty || !isJoiner(text)
            {
                fields += ArgumentParser.list(text)
            } else {
                terms.append(term)
            }
        }
        return (fields, terms)
    }

    private static func isJoiner(_ text: String) -> Bool {
        text == "and" || text == "or" || text == "not"
    }

    private static func presentation(
        of answer: AnswerValue, _ collection: CollectionDescription?
    ) -> Presentation? {
        guard let facets = answer[FacetsResult.facets] else { return nil }
        var rows = TableRows(["field", "value", "label", "count"].map { ($0, LayoutColumn(heading: $0)) })
        for (field, values) in facets.members {
            for value in values.elements {
                let count = value[FacetValue.count].map { String($0) } ?? ""
                let texts = [field, value[FacetValue.value]?.text ?? "", value[FacetValue.label] ?? "", count]
                rows.append(texts.map { ($0, Cell($0)) })
            }
        }
        var presentation = Presentation(answer, rows: rows)
        // Records without a value have no name.
        presentation.names = facets.members.flatMap { _, values in
            values.elements.compactMap { $0[FacetValue.value]?.text }
        }
        presentation.text = { options in
            FacetText(facets, of: collection, total: answer[FacetsResult.total], messages: options.messages)
                .text(width: options.lineWidth, isColored: options.isColored, plot: options.plot)
        }
        return presentation
    }
}
