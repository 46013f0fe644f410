// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension MethodDescription {
    /// `describe`: describes methods and collections.
    static let describe = MethodDescription(
        .describe, "Describes methods and collections.",
        parameters: [
            ParameterDescription(.method, .string, "Only this method."),
            ParameterDescription(.collection, .string, "Only this collection, by name or singular."),
            .language,
        ],
        result: [
            ("methods", "Name, summary, role, schemas and an example of each."),
            ("collections", "Fields, types, operators, sorts, views, vocabularies, groups and labels of each."),
        ],
        example: #"{"id":1,"method":"describe","params":{"method":"search"}}"#)
}
