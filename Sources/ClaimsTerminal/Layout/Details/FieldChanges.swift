// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsProtocol

/// The fields that a change concerns, in one line for people: `status: ok → faulty, name: – → pump`.
enum FieldChanges {
    /// The maximum width of a value, in cells.
    private static let maxCells = 40
    private static let absent = "–"

    /// The changed fields of an entry of a feed, with their values before and after; empty for other entries.
    static func text(_ entry: AnswerValue) -> String {
        let was = entry[FeedEntry.was]
        let record = entry[FeedEntry.record]
        let names = entry[FeedEntry.changed].compactMap(\.string)
        return names.map { text($0, from: was?[$0], to: record?[$0]) }.joined(separator: ", ")
    }

    /// The changed fields of a version, from `{FIELD: [before, after]}`.
    static func text(ofPairs changes: AnswerValue?) -> String {
        (changes?.members ?? []).map { name, pair in
            let values = pair.elements
            return text(name, from: values.first, to: values.count > 1 ? values[1] : nil)
        }.joined(separator: ", ")
    }

    private static func text(_ name: String, from before: AnswerValue?, to after: AnswerValue?) -> String {
        "\(Escaping.line(name)): \(value(before)) → \(value(after))"
    }

    private static func value(_ value: AnswerValue?) -> String {
        guard let value, value.kind != .null else { return absent }
        return Fitting.truncate(Escaping.line(value.text), to: maxCells)
    }
}
