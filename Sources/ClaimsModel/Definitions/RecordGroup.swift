// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A group of records in an answer; the definition's order of groups is the order shown.
public struct RecordGroup: Sendable, Hashable {
    public var key: String
    public var label: LocalizedText

    public init(key: String, label: LocalizedText? = nil) {
        self.key = key
        self.label = label ?? LocalizedText(Wording.humanized(key))
    }
}
