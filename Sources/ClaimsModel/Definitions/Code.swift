// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One code of a vocabulary.
public struct Code: Sendable, Hashable {
    /// The code as the definition spells it; this is what records and answers carry.
    public var code: String
    /// Its place in the order; equal ranks order by code.
    public var rank: Int
    /// The index of the group that records with this code belong to.
    public var group: Int?
    /// What a badge beside the record says; nil: no badge.
    public var badge: LocalizedText?
    public var label: LocalizedText

    public init(
        _ code: String, rank: Int = 0, group: Int? = nil, badge: LocalizedText? = nil, label: LocalizedText? = nil
    ) {
        self.code = code
        self.rank = rank
        self.group = group
        self.badge = badge
        self.label = label ?? LocalizedText(Wording.humanized(code))
    }
}
