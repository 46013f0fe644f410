// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What a peer may do. Everybody who can open the socket may read.
package enum Role: String, Sendable, CaseIterable {
    case read
    /// Archive and unarchive records.
    case archive
    /// Refresh with `force` or `accept`.
    case admin
}

/// The roles of one peer.
package struct RoleSet: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let read = RoleSet(rawValue: 1)
    package static let archive = RoleSet(rawValue: 2)
    package static let admin = RoleSet(rawValue: 4)
    package static let all: RoleSet = [.read, .archive, .admin]

    /// Whether `role` is among them.
    package func has(_ role: Role) -> Bool {
        switch role {
        case .read: contains(.read)
        case .archive: contains(.archive)
        case .admin: contains(.admin)
        }
    }

    /// The roles by name, in the order of ``Role``.
    package var names: [String] {
        Role.allCases.filter(has).map(\.rawValue)
    }
}
