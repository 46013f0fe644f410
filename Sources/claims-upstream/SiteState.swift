// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The part of a site that changes: its faults and its log of requests.
struct SiteState {
    /// The number of requests that are kept; the older half goes when there are more.
    private static let maxLog = 10_000

    /// A logged request.
    struct Entry {
        let number: Int
        let request: UpstreamRequest
    }

    /// The remaining steps of each path; `*` is for paths without steps of their own.
    var behaviours: [String: [Behaviour]] = [:]
    private(set) var log: [Entry] = []
    /// The number of requests for each path.
    private var counts: [String: Int] = [:]
    private var total = 0
    /// How often the held requests of each path were released.
    private(set) var releases: [String: Int] = [:]
    /// The number of further connections that are reset.
    var resets = 0

    /// Logs a request, and takes the step that it is answered by.
    mutating func record(_ request: UpstreamRequest) -> Behaviour {
        total += 1
        counts[request.path, default: 0] += 1
        if log.count == Self.maxLog { log.removeFirst(Self.maxLog / 2) }
        log.append(Entry(number: total, request: request))
        let key = behaviours[request.path]?.isEmpty == false ? request.path : "*"
        var steps = behaviours[key] ?? []
        let behaviour = steps.first ?? Behaviour()
        if let times = behaviour.times {
            steps[0].times = times - 1
            if times <= 1 { steps.removeFirst() }
            behaviours[key] = steps
        }
        return behaviour
    }

    /// The number of requests for `path`, or of all where it is nil.
    func requestCount(for path: String?) -> Int {
        path.map { path in counts[path] ?? 0 } ?? total
    }

    mutating func forgetRequests() {
        log = []
        counts = [:]
        total = 0
    }

    /// Ends the faults of `path`, or of all paths where it is nil, and lets their held requests go on.
    mutating func endFaults(of path: String?) {
        if let path { behaviours[path] = nil } else { behaviours = [:] }
        for held in counts.keys where path == nil || path == held { release(held) }
    }

    /// Lets the held requests for `path` go on.
    mutating func release(_ path: String) {
        releases[path, default: 0] += 1
    }

    /// Counts a connection down; true if it is to be reset.
    mutating func takeReset() -> Bool {
        guard resets > 0 else { return false }
        resets -= 1
        return true
    }
}
