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
        _ names: [String], of definition: Definition, parameter: ParameterName
    ) throws(RequestError) -> [Int] {
        var indexes: [Int] = []
        for name in names {
            guard let index = definition.fieldIndex(name) else {
                let known = definition.fields.map(\.name)
                let hint =
                    Suggestion.nearest(name, among: known).map { "did you mean '\($0)'?" }
                    ?? "the fields of \(definition.name) are " + known.joined(separator: ", ")
                throw RequestError(
                    .badParams, "unknown field '\(name)' of \(definition.name)", hint: hint,
                    details: [RequestError.detail("parameter", parameter.text)])
            }
            if !indexes.contains(index) { indexes.append(index) }
        }
        return indexes
    }
}
