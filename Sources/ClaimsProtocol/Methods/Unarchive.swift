// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension MethodDescription {
    /// `unarchive`: shows archived records in lists again.
    static let unarchive = MethodDescription(
        .unarchive, "Shows archived records in lists again.", role: .archive,
        parameters: [
            .collection, ParameterDescription(.ids, .strings, "The ids of the records."),
            ParameterDescription(.filter, .filter, "Instead of ids: every record that matches."),
            ParameterDescription(.dryRun, .boolean, "Tell what would change, and change nothing."), .timeZone,
            .timeout,
        ],
        result: [
            ("changed", "The ids that changed."),
            ("unchanged", "The ids that were so already."),
            ("missing", "The ids that are not there."),
            ("clock", "The clock after the change."),
        ],
        example: #"{"id":1,"method":"unarchive","params":{"collection":"EXAMPLE","ids":["1"],"dry_run":true}}"#)
}
