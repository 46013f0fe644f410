// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A value as a filter writes it, without its quotes. What it means is for the field's type to say.
package struct FilterValue: Sendable, Equatable {
    package let text: String
    package let place: FilterPlace?

    package init(_ text: String, place: FilterPlace? = nil) {
        self.text = text
        self.place = place
    }

    /// Where it was written makes no difference; its bytes do.
    package static func == (left: FilterValue, right: FilterValue) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }
}
