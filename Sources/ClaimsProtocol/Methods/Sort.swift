// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension MethodDescription {
    /// `sort`: answers a whole collection in an order, page by page.
    static let sort = MethodDescription(
        .sort, "Answers a whole collection in an order, page by page.",
        parameters: ParameterDescription.page + [
            ParameterDescription(.by, .strings, "Sort keys or a named order; the collection's order by default.")
        ],
        result: [
            ("records", "The records of this page."),
            ("total", "How many records match, exactly."),
            ("next", "The cursor of the next page, where there is one."),
            ("meta", "How old the data is, where it came from and why it is not newer."),
        ],
        example: #"{"id":1,"method":"sort","params":{"limit":10}}"#)
}
