// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A permission of a peer. Every peer that can open the socket has `read`.
public enum Role: String, Sendable, CaseIterable {
    case read
    /// The permission to archive and unarchive records.
    case archive
    /// The permission to add, edit and delete records, if the definition does not name its own writers.
    case write
    /// The permission to refresh with `force` or `accept`, and to forget removed collections.
    case admin
}

/// A set of roles: the permissions of one peer.
public struct RoleSet: OptionSet, Sendable {
    /// The bits of the set: 1 for `read`, 2 for `archive`, 4 for `admin`, 8 for `write`.
    public let rawValue: UInt8

    /// Makes the set with these bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The set with the role `read` alone.
    public static let read = RoleSet(rawValue: 1)
    /// The set with the role `archive` alone.
    public static let archive = RoleSet(rawValue: 2)
    /// The set with the role `admin` alone.
    public static let admin = RoleSet(rawValue: 4)
    /// The set with the role `write` alone.
    public static let write = RoleSet(rawValue: 8)
    /// The set with every role.
    public static let all: RoleSet = [.read, .archive, .write, .admin]

    /// Whether the set has this role.
    public func has(_ role: Role) -> Bool {
        switch role {
        case .read: contains(.read)
        case .archive: contains(.archive)
        case .write: contains(.write)
        case .admin: contains(.admin)
        }
    }

    /// The wire names of the roles in the set, in the order of ``Role``.
    public var names: [String] {
        Role.allCases.filter(has).map(\.rawValue)
    }
}
