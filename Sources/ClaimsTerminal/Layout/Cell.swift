// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One value of a table, ready to be shown: escaped, without line ends.
public struct Cell: Equatable, Sendable {
    public let text: String
    public let style: Style
    /// It points out that this record needs somebody.
    public let isBadge: Bool

    public init(_ text: String, style: Style = .plain, isBadge: Bool = false) {
        self.text = text
        self.style = style
        self.isBadge = isBadge
    }
}
