// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The words of answers for the condition of a collection.
enum ConditionsPart {
    static var states: Block {
        .table(
            header: ["`meta.state`", "Meaning"],
            rows: CollectionState.allCases.map { ["`\($0.rawValue)`", meaning($0)] })
    }

    static var freshness: Block {
        .table(
            header: ["`meta.freshness`", "Meaning"],
            rows: Freshness.allCases.map { ["`\($0.rawValue)`", meaning($0)] })
    }

    static var sources: Block {
        .table(
            header: ["`meta.source`", "Meaning"],
            rows: DataSource.allCases.map { ["`\($0.rawValue)`", meaning($0)] })
    }

    static var failures: Block {
        .table(
            header: ["`last_error.kind`", "Meaning"],
            rows: FailureKind.allCases.map { ["`\($0.rawValue)`", meaning($0)] })
    }

    private static func meaning(_ state: CollectionState) -> String {
        switch state {
        case .loading: "The first fetch is under way, and there is nothing to show. Queries answer `no_data`."
        case .ready: "There is data."
        case .empty:
            "The upstream answered with no records, or this host, being the truth, has none. Queries answer a total of 0."
        case .failed: "There is no data at all, and the last fetch failed. Queries answer `no_data`."
        case .unconfigured:
            "There is no address. Data that was fetched while there was one is served on; without data queries answer `no_data`."
        case .withheld:
            "The data is as old as `source.withhold`, or the clock is more than 10 min behind it. Queries and changes of records answer `no_data`; a new record is taken. Feeds are silent, until the upstream has answered."
        }
    }

    private static func meaning(_ freshness: Freshness) -> String {
        switch freshness {
        case .fresh: "The upstream confirmed the data less than `ttl` ago."
        case .stale: "Longer ago than `ttl`, but less than `expires`."
        case .expired: "Longer ago than `expires`. The data is served all the same, unless `withhold` says otherwise."
        case .bundle: "The data came with the program; no upstream has answered yet."
        }
    }

    private static func meaning(_ source: DataSource) -> String {
        switch source {
        case .upstream: "The upstream has confirmed the data since the daemon started."
        case .fleet: "Another host of the fleet has fetched it and published it; `via` names it."
        case .cache: "An earlier run of the daemon fetched it."
        case .bundle: "It came with the program."
        case .local: "It was written on this host, which is the truth."
        }
    }

    private static func meaning(_ kind: FailureKind) -> String {
        switch kind {
        case .invalidURL: "The address is not one that can be fetched: https, http or file."
        case .unreachable: "The host is unknown, or no connection came about."
        case .tls: "No secure connection came about; certificates that do not verify, for example."
        case .timeout: "The connection, the first byte, the whole answer or the waits between pages took too long."
        case .httpStatus: "The upstream answered with another status than 200 or 304; `status` tells which."
        case .redirect:
            "It redirected too often, from https to http, to another scheme, or a POST so that its body would be lost or go to another host."
        case .tooLarge: "The body, its expansion or the number of records is beyond its limit."
        case .truncated: "The answer ended before its announced length."
        case .protocol:
            "The upstream does not keep to HTTP, sent a 304 that nobody asked for, or has pages that never end or come twice."
        case .encoding: "The body cannot be decompressed."
        case .notJSON: "The body is not JSON."
        case .wrongShape:
            "There is no array of records where `root` says, or the pages are not as `next` says."
        case .credential: "The service has no such credential, or it cannot be read."
        case .file: "The file of a `file:` address cannot be read."
        case .join: "Only the second request, which fills in fields, failed. The records are served."
        case .held: "The guard did not let the new data in."
        case .reported: "The upstream says in its answer, at `fails`, that the request has failed."
        case .late: "The answer is older than the data here, such as one that a cache kept. The data stays."
        case .integrity:
            "What another host of the fleet has published is damaged, or not what it has signed. The data stays."
        case .clock: "The clock of this host and that of another one of the fleet differ by more than 5 minutes."
        case .other: "Anything else; the message says what."
        }
    }
}
