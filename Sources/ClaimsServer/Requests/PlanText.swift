// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsQuery
import ClaimsSnapshot

/// Describes in sentences how a query finds its records.
struct PlanText {
    let definition: Definition

    /// The maximal number of sentences of one plan; a longer plan ends with the number of sentences that are left out.
    static let maxLines = 64

    /// - Parameters:
    ///   - outline: the plan; nil if the time was over before it was made.
    ///   - records: the number of all records, including archived ones.
    ///   - archived: the number of archived records.
    ///   - mode: whether the query leaves out archived records.
    func lines(_ outline: PlanOutline?, records: Int, archived: Int, _ mode: ArchivedMode) -> [TranslatedText] {
        guard let outline else {
            return [
                TranslatedText(en: "The time was over before there was a plan.", pl: "Czas minął, zanim powstał plan.")
            ]
        }
        var lines: [TranslatedText] = []
        append(outline, to: &lines)
        if lines.count > Self.maxLines {
            let rest = lines.count - Self.maxLines
            lines.removeLast(rest)
            lines.append(
                TranslatedText(en: "\(rest) more steps are left out here.", pl: "Pominięto tu dalsze kroki: \(rest)."))
        }
        switch mode {
        case .exclude where archived > 0:
            lines.append(
                TranslatedText(
                    en: "Of \(records) records \(archived) are archived and left out.",
                    pl: "Rekordów jest \(records); zarchiwizowane (\(archived)) są pomijane."))
        case .only:
            lines.append(
                TranslatedText(
                    en: "Of \(records) records only the \(archived) archived ones count.",
                    pl: "Rekordów jest \(records); liczą się tylko zarchiwizowane (\(archived))."))
        case .exclude, .include:
            lines.append(TranslatedText(en: "There are \(records) records.", pl: "Rekordów jest \(records)."))
        }
        return lines
    }

    private func append(_ outline: PlanOutline, to lines: inout [TranslatedText]) {
        switch outline {
        case .none:
            lines.append(
                TranslatedText(
                    en: "Nothing is looked up: the values asked for do not occur.",
                    pl: "Niczego nie trzeba szukać: podane wartości nie występują."))
        case .all:
            lines.append(
                TranslatedText(
                    en: "Nothing is looked up: every record matches.",
                    pl: "Niczego nie trzeba szukać: pasuje każdy rekord.")
            )
        case .values(let field, let isRaw, let runs, let bound):
            let name = name(field) + (isRaw ? ".raw" : "")
            lines.append(
                TranslatedText(
                    en: "\(name): found by its sorted values (ranges: \(runs), records: \(bound)).",
                    pl: "\(name): według posortowanych wartości (zakresy: \(runs), rekordy: \(bound))."))
        case .terms(let fields, let bound):
            let names = fields.map(name).joined(separator: ", ")
            lines.append(
                TranslatedText(
                    en: "\(names): found by the words that contain the text (records: at most \(bound)).",
                    pl: "\(names): według słów zawierających tekst (rekordy: co najwyżej \(bound))."))
        case .phrase(let field, let bound):
            let name = name(field)
            lines.append(
                TranslatedText(
                    en: "\(name): the phrase is looked for in records that have its words (at most \(bound)).",
                    pl: "\(name): frazy szuka się w rekordach, które mają jej słowa (co najwyżej \(bound))."))
        case .pending(let bound):
            lines.append(
                TranslatedText(
                    en: "pending: the records with unsettled operations are known (records: \(bound)).",
                    pl: "pending: rekordy z nierozliczonymi operacjami są znane (rekordy: \(bound))."))
        case .and(let parts):
            lines.append(
                TranslatedText(
                    en: "Records must meet each of the next \(parts.count) conditions, the rarest one first.",
                    pl: "Rekord musi spełniać wszystkie kolejne warunki (\(parts.count)), od najrzadszego."))
            for part in parts { append(part, to: &lines) }
        case .or(let parts):
            lines.append(
                TranslatedText(
                    en: "Records must meet one of the next \(parts.count) conditions.",
                    pl: "Rekord musi spełniać jeden z kolejnych warunków (\(parts.count))."))
            for part in parts { append(part, to: &lines) }
        case .not(let part):
            lines.append(
                TranslatedText(
                    en: "The records of the next condition are left out.",
                    pl: "Rekordy kolejnego warunku są pomijane."))
            append(part, to: &lines)
        }
    }

    private func name(_ field: Int) -> String {
        definition.fields.indices.contains(field) ? definition.fields[field].name : ""
    }
}
