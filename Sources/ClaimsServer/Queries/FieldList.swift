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
            guard let index = definition.fieldIndex(name) else {
                let known = definition.fields.map(\.name)
                let hint =
                    Suggestion.nearest(name, among: known).map { "did you mean '\($0)'?" }
                    ?? "the fields of \(definition.name) are " + known.joined(separator: ", ")
                throw RequestError(parameter, "unknown field '\(name)' of \(definition.name)", hint: hint)
            }
            if !indexes.contains(index) { indexes.append(index) }
        }
        return indexes
    }

    /// The indexes of fields whose values can be counted.
    ///
    /// - Throws: `bad_params` for a field that is not there, or that holds JSON.
    static func countable(
        _ names: [String], of definition: Definition, parameter: Parameter<NameList>
    ) throws(RequestError) -> [Int] {
        let indexes = try indexes(names, of: definition, parameter: parameter)
        for index in indexes where definition.fields[index].type == .json {
            throw RequestError(
                parameter, "field '\(definition.fields[index].name)' holds JSON, whose values are not counted",
                hint: "count a field with few values, such as an enum")
        }
        return indexes
    }
}
