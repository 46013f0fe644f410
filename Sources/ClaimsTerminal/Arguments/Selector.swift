// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Which collection was asked for: a name or a singular, which the daemon resolves.
public struct Selector: Equatable, Sendable {
    public let name: String
    /// It stood as an option of its own (`--book`), which a misspelt option of ours would look like too.
    public let isOption: Bool

    public init(_ name: String, isOption: Bool) {
        self.name = name
        self.isOption = isOption
    }
}
