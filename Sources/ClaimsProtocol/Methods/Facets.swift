// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension MethodDescription {
    /// `facets`: counts the values of fields over all matches.
    static let facets = MethodDescription(
        .facets, "Counts the values of fields over all matches.",
        parameters: [
            .collection, ParameterDescription(.fields, .strings, required: true, "Fields whose values are counted."),
            .filter, .view, .archived, .timeZone, .language, .maximumAge, .timeout,
        ],
        result: [
            ("facets", "For each field its values with label and count, in the field's order."),
            ("total", "How many records match."),
            ("meta", "How old the data is, where it came from and why it is not newer."),
        ],
        example: #"{"id":1,"method":"facets","params":{"collection":"EXAMPLE","fields":["status"]}}"#)
}
