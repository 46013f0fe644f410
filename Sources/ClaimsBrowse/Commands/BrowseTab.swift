// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A tab of the screen.
public enum BrowseTab: Hashable, Sendable {
    /// A collection, by its name.
    case collection(String)
    case outbox
    case status
}
