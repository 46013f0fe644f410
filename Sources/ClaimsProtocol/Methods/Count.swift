// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension MethodDescription {
    /// `count`: counts records exactly.
    static let count = MethodDescription(
        .count, "Counts records exactly.",
        parameters: [
            .anyCollection, .filter, .view, .archived, .timeZone, .language, .maximumAge, .timeout,
        ],
        result: [
            ("total", "How many records match."),
            ("totals", "Without collection: the total of each."),
            ("meta", "How old the data is, where it came from and why it is not newer."),
        ],
        example: #"{"id":1,"method":"count","params":{"filter":"water"}}"#)
}
