// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The part of a site that changes: its faults, its stores, and the logs of requests and writes.
struct SiteState {
    /// A request that is not answered yet.
    struct Visit {
        let number: Int
        let behaviour: Behaviour
        /// How often the held requests of its path had been released.
        let releases: Int
    }

    /// The remaining steps of each path pattern; a narrower pattern goes first.
    var behaviours: [String: [Behaviour]] = [:]
    private(set) var log = RequestLog()
    var writes = WriteLog()
    /// The stores, by their paths.
    var stores: [String: RecordStore] = [:]
    /// The keys of requests that are not answered yet, by the numbers of the requests.
    private(set) var busyKeys: [Int: String] = [:]
    /// How often the held requests of each path were released.
    private(set) var releases: [String: Int] = [:]
    /// The number of further connections that are reset.
    var resets = 0

    /// Logs a request whose head was read, and takes the step that it is answered by.
    mutating func admit(_ request: UpstreamRequest) -> Visit {
        let number = log.append(request)
        if let key = store(for: request.path).flatMap({ store in request[store.rules.keyHeader] }) {
            busyKeys[number] = key
        }
        return Visit(number: number, behaviour: takeStep(request), releases: releases[request.path] ?? 0)
    }

    private mutating func takeStep(_ request: UpstreamRequest) -> Behaviour {
        for pattern in PathPattern.all(for: request.path) {
            let steps = behaviours[pattern] ?? []
            guard let index = steps.firstIndex(where: { step in step.method ?? request.method == request.method })
            else { continue }
            if let times = steps[index].times {
                behaviours[pattern]?[index].times = times - 1
                if times <= 1 { behaviours[pattern]?.remove(at: index) }
            }
            return steps[index]
        }
        return Behaviour()
    }

    /// Adds its body to a request.
    mutating func receive(_ body: [UInt8], of visit: Visit) { log.receive(body, of: visit.number) }

    /// Notes that a request is answered, or never will be.
    mutating func leave(_ visit: Visit) { busyKeys[visit.number] = nil }

    mutating func forgetRequests() { log = RequestLog() }

    /// Ends the faults of the paths that match `pattern`, or of all where it is nil, and lets their held requests go
    /// on.
    mutating func endFaults(of pattern: String?) {
        if let pattern { behaviours[pattern] = nil } else { behaviours = [:] }
        release(pattern ?? "*")
    }

    /// Lets the held requests for the paths that match `pattern` go on.
    mutating func release(_ pattern: String) {
        for path in log.counts.keys where PathPattern.matches(pattern, path) { releases[path, default: 0] += 1 }
    }

    /// Counts a connection down; true if it is to be reset.
    mutating func takeReset() -> Bool {
        guard resets > 0 else { return false }
        resets -= 1
        return true
    }
}
