// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters that some method has; of the same name, they mean the same everywhere.
public enum ParameterName: UInt8, Sendable, CaseIterable {
    case accept
    case archived
    case by
    case client
    case collection
    case cursor
    case dryRun
    case facets
    case fields
    case filter
    case force
    case group
    case id
    case ids
    case language
    case limit
    case maximumAge
    case method
    case `protocol`
    case request
    case require
    case sort
    case stream
    case timeZone
    case timeout
    case view
    case wait
    case want

    /// As it stands in a request.
    public var text: String {
        switch self {
        case .accept: "accept"
        case .archived: "archived"
        case .by: "by"
        case .client: "client"
        case .collection: "collection"
        case .cursor: "cursor"
        case .dryRun: "dry_run"
        case .facets: "facets"
        case .fields: "fields"
        case .filter: "filter"
        case .force: "force"
        case .group: "group"
        case .id: "id"
        case .ids: "ids"
        case .language: "lang"
        case .limit: "limit"
        case .maximumAge: "max_age_ms"
        case .method: "method"
        case .protocol: "protocol"
        case .request: "request"
        case .require: "require"
        case .sort: "sort"
        case .stream: "stream"
        case .timeZone: "time_zone"
        case .timeout: "timeout_ms"
        case .view: "view"
        case .wait: "wait"
        case .want: "want"
        }
    }

    /// The position in ``allCases``.
    var index: Int { Int(rawValue) }
}
