// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension MethodDescription {
    /// `refresh`: asks the upstream now.
    static let refresh = MethodDescription(
        .refresh, "Asks the upstream now.",
        parameters: [
            .anyCollection, ParameterDescription(.wait, .boolean, "Answer when it is done."),
            ParameterDescription(
                .force, .boolean, "Now, whatever backoff or Retry-After say, and without validators; needs admin."),
            ParameterDescription(.accept, .boolean, "Take what the guard holds or would hold; needs admin."),
            .language,
        ],
        result: [
            ("collections", "collection, outcome, added, updated, removed, quarantined and meta of each.")
        ],
        example: #"{"id":1,"method":"refresh","params":{"wait":true}}"#)
}
