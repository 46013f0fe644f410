// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The methods of the protocol by their names on the wire.
public enum Method: String, Sendable, CaseIterable {
    case hello
    case describe
    case ping
    case status
    case search
    case sort
    case count
    case facets
    case detail
    case archive
    case unarchive
    case refresh
    case deal
    case cancel

    /// Whether a request does something beside being answered.
    package var hasEffect: Bool {
        switch self {
        case .archive, .unarchive, .refresh, .cancel: true
        case .hello, .describe, .ping, .status, .search, .sort, .count, .facets, .detail, .deal: false
        }
    }

    /// Everything there is to say about the method.
    public var description: MethodDescription {
        MethodTable.byMethod[self.index]
    }

    /// The position in ``MethodTable``.
    public var index: Int {
        switch self {
        case .hello: 0
        case .describe: 1
        case .ping: 2
        case .status: 3
        case .search: 4
        case .sort: 5
        case .count: 6
        case .facets: 7
        case .detail: 8
        case .archive: 9
        case .unarchive: 10
        case .refresh: 11
        case .deal: 12
        case .cancel: 13
        }
    }
}
