// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A value as a filter writes it, without its quotes. What it means is for the field's type to say.
public struct FilterValue: Sendable, Equatable {
    public let text: String
    public let place: FilterPlace?

    public init(_ text: String, place: FilterPlace? = nil) {
        self.text = text
        self.place = place
    }

    /// Where it was written makes no difference; its bytes do.
    public static func == (left: FilterValue, right: FilterValue) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }
}
