// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What `describe` tells about a code of a vocabulary.
public struct CodeDescription: Sendable {
    public let label: String
    /// What to point out in a list, where this code deserves it.
    public let badge: String?
    public let group: String?

    public init(label: String, badge: String? = nil, group: String? = nil) {
        self.label = label
        self.badge = badge
        self.group = group
    }
}
