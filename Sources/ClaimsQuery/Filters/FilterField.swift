// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A field as a filter names it. Whether there is one is for the definition to say.
public struct FilterField: Sendable, Equatable {
    public let name: String
    /// Named with `.raw`: the value as it came.
    public let isRaw: Bool
    public let place: FilterPlace?

    public init(_ name: String, isRaw: Bool = false, place: FilterPlace? = nil) {
        self.name = name
        self.isRaw = isRaw
        self.place = place
    }

    public var text: String { isRaw ? name + ".raw" : name }

    /// Where it was written makes no difference.
    public static func == (left: FilterField, right: FilterField) -> Bool {
        left.isRaw == right.isRaw && left.name.utf8.elementsEqual(right.name.utf8)
    }
}
