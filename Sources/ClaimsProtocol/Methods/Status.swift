// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension MethodDescription {
    /// `status`: tells how the daemon and each collection fare.
    static let status = MethodDescription(
        .status, "Tells how the daemon and each collection fare.",
        parameters: [.language],
        result: [
            ("version", "The version of the daemon."),
            ("uptime_ms", "How long it has served, in milliseconds."),
            ("clock", "The clock of all collections."),
            ("clients", "How many connections there are."),
            ("memory_bytes", "Anonymous memory in use."),
            ("disk_bytes", "Bytes of state and cache on disk."),
            ("collections", "name, title, total, archived and meta of each."),
            ("drift", "New enum values, new members and changed types seen upstream."),
        ],
        example: #"{"id":1,"method":"status"}"#)
}
