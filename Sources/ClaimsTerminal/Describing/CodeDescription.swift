// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What `describe` tells about a code of a vocabulary.
package struct CodeDescription: Sendable {
    package let label: String
    /// What to point out in a list, where this code deserves it.
    package let badge: String?
    package let group: String?

    package init(label: String, badge: String? = nil, group: String? = nil) {
        self.label = label
        self.badge = badge
        self.group = group
    }
}
