// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// An argument that is no option: part of a filter, an id, a key, as the verb has it.
public enum Term: Equatable, Sendable {
    case argument(String)
    /// The value of `--text`: always what to look for, never a filter.
    case literal(String)

    public var text: String {
        switch self {
        case .argument(let text), .literal(let text): text
        }
    }
}
