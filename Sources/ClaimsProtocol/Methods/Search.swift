// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension MethodDescription {
    /// `search`: finds records: filters, sorts, groups, counts and pages them.
    static let search = MethodDescription(
        .search, "Finds records: filters, sorts, groups, counts and pages them.",
        parameters: ParameterDescription.page + [
            ParameterDescription(.sort, .strings, "Sort keys or a named order; `-` descends.")
        ],
        result: [
            ("records", "The records of this page."),
            ("total", "How many records match, exactly."),
            ("totals", "Without collection: the total of each."),
            ("next", "The cursor of the next page, where there is one."),
            ("moved", "True where the data changed since the page before."),
            ("facets", "Counts by value."),
            ("groups", "Groups with their totals."),
            ("labels", "Labels of the codes that occur."),
            ("meta", "How old the data is, where it came from and why it is not newer."),
        ],
        example: #"{"id":1,"method":"search","params":{"filter":"water","limit":10}}"#)
}
