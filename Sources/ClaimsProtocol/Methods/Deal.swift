// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension MethodDescription {
    /// `deal`: answers one record at random, with a line that advertises it.
    static let deal = MethodDescription(
        .deal, "Answers one record at random, with a line that advertises it.",
        parameters: [
            ParameterDescription(.collection, .string, "A collection whose definition has a deal."), .language,
        ],
        result: [
            ("record", "The record."),
            ("message", "The line."),
            ("meta", "How old the data is, where it came from and why it is not newer."),
        ],
        example: #"{"id":1,"method":"deal"}"#)
}
