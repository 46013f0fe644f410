// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Whether a record can be served.
public enum DecodeOutcome: Sendable, Equatable {
    case accepted
    /// It goes to quarantine. The reason is for people and holds none of the record's text; the pointer leads from
    /// the record to what is wrong.
    case quarantined(reason: String, pointer: String)
}
