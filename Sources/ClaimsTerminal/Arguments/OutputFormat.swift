// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What `-o` names.
public enum OutputFormat: String, CaseIterable, Sendable {
    case table, wide, json, jsonl, csv, tsv, name

    /// Laid out for a reader: labels, local times, and columns that fit a terminal.
    public var isForPeople: Bool { self == .table || self == .wide }

    /// Errors are one JSON object on standard error.
    public var isJSON: Bool { self == .json || self == .jsonl }
}
