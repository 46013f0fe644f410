// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol

/// Reads lists of field names in requests.
enum FieldList {
    /// The indexes of the fields of those names.
    ///
    /// - Throws: `bad_params` with the nearest name for a field that is not there.
    static func indexes(
        _ names: [String], of definition: Definition, parameter: Parameter<NameList>
    ) throws(RequestError) -> [Int] {
        var indexes: [Int] = []
        for name in names {
            // Records tell their unsettled operations whatever fields are asked for.
            if isKnownPending(name, definition, parameter) { continue }
            guard let index = definition.fieldIndex(name) else {
                let known = definition.fields.map(\.name)
                let list = known.joined(separator: ", ")
                throw RequestError(
                    parameter,
                    ErrorText(
                        en: "unknown field '\(name)' of \(definition.name)",
                        pl: "nieznane pole „\(name)” kolekcji \(definition.name)"),
                    hint: Suggestion.question(name, among: known)
                        ?? ErrorText(
                            en: "the fields of \(definition.name) are \(list)",
                            pl: "pola kolekcji \(definition.name) to \(list)"))
            }
            if !indexes.contains(index) { indexes.append(index) }
        }
        return indexes
    }

    private static func isKnownPending(
        _ name: String, _ definition: Definition, _ parameter: Parameter<NameList>
    ) -> Bool {
        definition.hasPendingField && name == PendingState.fieldName
    }

    /// The indexes of fields whose values can be counted.
    ///
    /// - Throws: `bad_params` for a field that is not there, or that holds JSON.
    static func countable(
        _ names: [String], of definition: Definition, parameter: Parameter<NameList>
    ) throws(RequestError) -> [Int] {
        if definition.hasPendingField, names.contains(PendingState.fieldName) {
            throw RequestError(
                parameter,
                ErrorText(
                    en: "'pending' is no field whose values are counted", pl: "wartości „pending” się nie zlicza"),
                hint: ErrorText(
                    en: "its totals are in meta.pending", pl: "jego sumy są w meta.pending"))
        }
        let indexes = try indexes(names, of: definition, parameter: parameter)
        for index in indexes where definition.fields[index].type == .json {
            let name = definition.fields[index].name
            throw RequestError(
                parameter,
                ErrorText(
                    en: "field '\(name)' holds JSON, whose values are not counted",
                    pl: "pole „\(name)” zawiera JSON, którego wartości się nie zlicza"),
                hint: ErrorText(
                    en: "count a field with few values, such as an enum",
                    pl: "zliczaj pole o niewielu wartościach, na przykład typu enum"))
        }
        return indexes
    }
}
