// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Why a request was refused: the part of an error that programs branch on (`data.kind`).
///
/// The raw value is the name on the wire. Names and codes are never changed.
public enum ErrorKind: String, Sendable, CaseIterable {
    case parseError = "parse_error"
    case invalidRequest = "invalid_request"
    case unknownMethod = "unknown_method"
    case badParams = "bad_params"
    case `internal` = "internal"
    case badFilter = "bad_filter"
    case badSort = "bad_sort"
    case badCursor = "bad_cursor"
    case forbidden = "forbidden"
    case notFound = "not_found"
    case unknownCollection = "unknown_collection"
    case timeout = "timeout"
    case conflict = "conflict"
    case notArchivable = "not_archivable"
    case tooLarge = "too_large"
    case notFresh = "not_fresh"
    case busy = "busy"
    case cancelled = "cancelled"
    case upstreamFailed = "upstream_failed"
    case noData = "no_data"
    case storageFull = "storage_full"

    /// The numeric code that goes with the kind; a convenience for JSON-RPC clients.
    public var code: Int {
        switch self {
        case .parseError: -32700
        case .invalidRequest: -32600
        case .unknownMethod: -32601
        case .badParams: -32602
        case .internal: -32603
        case .badFilter, .badSort, .badCursor: 1400
        case .forbidden: 1403
        case .notFound, .unknownCollection: 1404
        case .timeout: 1408
        case .conflict, .notArchivable: 1409
        case .tooLarge: 1413
        case .notFresh: 1425
        case .busy: 1429
        case .cancelled: 1499
        case .upstreamFailed: 1502
        case .noData: 1503
        case .storageFull: 1507
        }
    }
}
