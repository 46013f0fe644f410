// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsProtocol

/// The exit code of claimsctl. Scripts rely on these numbers, which never change.
public enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    case failure = 1
    case usage = 2
    case notFound = 3
    case unreachable = 4
    case forbidden = 5
    case noData = 6
    case tooOld = 7
    case invalid = 8
    case conflict = 9
    case timeout = 10
    case upstreamFailed = 11
    case interrupted = 130

    /// Makes the exit code for an error kind of the protocol.
    public init(_ kind: ErrorKind) {
        self =
            switch kind {
            case .badFilter, .badSort, .badCursor, .badParams, .unknownCollection: .usage
            case .parseError, .invalidRequest, .tooLarge, .invalid: .invalid
            case .notFound: .notFound
            case .forbidden: .forbidden
            case .noData: .noData
            case .notFresh: .tooOld
            case .conflict, .notArchivable, .notAllowed: .conflict
            case .timeout, .busy: .timeout
            case .upstreamFailed: .upstreamFailed
            case .cancelled: .interrupted
            case .unknownMethod, .internal, .storageFull, .outboxFull: .failure
            }
    }

    /// Makes the exit code for the name of an error kind; a name that this version does not know gives `failure`.
    public init(kind: String) {
        self = ErrorKind(rawValue: kind).map { ExitCode($0) } ?? .failure
    }

    /// The meaning of the code in a few words, for help pages and the manual.
    public var meaning: String {
        switch self {
        case .done: "done, also where nothing was found"
        case .failure: "failure"
        case .usage: "usage, or a filter or order that is none"
        case .notFound: "no such record; with --exists: nothing found"
        case .unreachable: "the daemon cannot be reached"
        case .forbidden: "not allowed"
        case .noData: "no data to serve yet"
        case .tooOld: "data is older than --max-age"
        case .invalid: "the request cannot be read, or what it is about is not valid"
        case .conflict: "in conflict with what is there, not allowed there, or not archivable"
        case .timeout: "no answer in time, or the daemon is busy"
        case .upstreamFailed: "the upstream failed or was not asked, or an operation is stuck (--wait)"
        case .interrupted: "interrupted or cancelled"
        }
    }
}
