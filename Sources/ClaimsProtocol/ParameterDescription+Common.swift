// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension ParameterDescription {
    static let collection = ParameterDescription(
        .collection, .string, required: true, "The name of the collection, or its singular.")
    static let anyCollection = ParameterDescription(
        .collection, .string, "The name of the collection, or its singular; without it, all of them.")
    static let filter = ParameterDescription(.filter, .filter, "Which records, as text or as a tree.")
    static let view = ParameterDescription(.view, .string, "A view of the definition, in addition to the filter.")
    static let archived = ParameterDescription(
        .archived, .word(["exclude", "only", "include"]), "What to do with archived records; exclude by default.")
    static let language = ParameterDescription(
        .language, .string, "The language of labels and sentences, such as pl; with it labels are answered.")
    static let timeZone = ParameterDescription(
        .timeZone, .string, "The IANA time zone whose days dates mean; UTC by default.")
    static let timeout = ParameterDescription(
        .timeout, .integer(1...10_000), "How long the query may take, in milliseconds.")
    static let maximumAge = ParameterDescription(
        .maximumAge, .integer(0...Int64.max), "Refuse with not_fresh where the data is older, in milliseconds.")

    /// The parameters of a page, but for its order.
    static let page: [ParameterDescription] = [
        .anyCollection, .filter,
        ParameterDescription(.limit, .integer(1...1_000), "How many records a page has; 50 by default."),
        ParameterDescription(.cursor, .string, "The `next` of the page before."),
        ParameterDescription(.fields, .strings, "Which fields; all of them by default."),
        ParameterDescription(.facets, .strings, "Fields whose values are counted over all matches."),
        ParameterDescription(.group, .boolean, "Records group by group, in the definition's order."),
        .view, .archived, .maximumAge, .timeZone, .language,
        ParameterDescription(.stream, .boolean, "Records in notifications of at most 256; without limit, all."),
        .timeout,
    ]
}
