// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What a peer may do. Everybody who can open the socket may read.
public enum Role: String, Sendable, CaseIterable {
    case read
    /// Archive and unarchive records.
    case archive
    /// Refresh with `force` or `accept`.
    case admin
}

/// The roles of one peer.
public struct RoleSet: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let read = RoleSet(rawValue: 1)
    public static let archive = RoleSet(rawValue: 2)
    public static let admin = RoleSet(rawValue: 4)
    public static let all: RoleSet = [.read, .archive, .admin]

    /// Whether `role` is among them.
    public func has(_ role: Role) -> Bool {
        switch role {
        case .read: contains(.read)
        case .archive: contains(.archive)
        case .admin: contains(.admin)
        }
    }

    /// The roles by name, in the order of ``Role``.
    public var names: [String] {
        Role.allCases.filter(has).map(\.rawValue)
    }
}
