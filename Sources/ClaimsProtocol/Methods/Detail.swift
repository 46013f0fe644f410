// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension MethodDescription {
    /// `detail`: answers everything about one record.
    static let detail = MethodDescription(
        .detail, "Answers everything about one record.",
        parameters: [
            .collection, ParameterDescription(.id, .requestID, required: true, "The id of the record."), .language,
            .maximumAge,
        ],
        result: [
            ("record", "All fields."),
            ("upstream", "The object as the upstream sent it."),
            ("provenance", "source, fetched_at, first_seen, changed_at, generation, archived_at and archived_by."),
            ("labels", "Labels of its codes."),
            ("meta", "How old the data is, where it came from and why it is not newer."),
        ],
        example: #"{"id":1,"method":"detail","params":{"collection":"EXAMPLE","id":"1"}}"#)
}
