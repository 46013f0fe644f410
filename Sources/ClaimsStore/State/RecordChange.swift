// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What a generation did to a record.
public enum RecordChange: String, Sendable {
    case upsert, remove

    var operation: StaticString {
        switch self {
        case .upsert: "upsert"
        case .remove: "remove"
        }
    }
}
