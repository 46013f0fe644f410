// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The part of a site that changes: faults, stores, token servers, limits, and the logs of requests and writes.
struct SiteState {
    /// The remaining steps of each path pattern; a narrower pattern goes first.
    var behaviours: [String: [Behaviour]] = [:]
    private(set) var log = RequestLog()
    var writes = WriteLog()
    /// The stores, by their paths.
    var stores: [String: RecordStore] = [:]
    /// The token servers, by their paths.
    var tokenServers: [String: TokenServer] = [:]
    /// The limits, by the patterns of their paths.
    var rates: [String: Rate] = [:]
    /// The number of times that the page of each failing path has failed.
    var failures: [String: Int] = [:]
    /// The keys of requests that are not answered yet, by the numbers of the requests.
    private(set) var busyKeys: [Int: String] = [:]
    /// The number of times that the held requests of each path were released.
    private(set) var releases: [String: Int] = [:]
    /// The number of further connections that are reset.
    var resets = 0

    /// Logs a request whose head was read, and chooses the step that answers it.
    mutating func admit(_ request: UpstreamRequest) -> Visit {
        let now = SystemClock.monotonic
        let number = log.append(request, now: now)
        if let key = store(for: request.path).flatMap({ store in request[store.rules.keyHeader] }) {
            busyKeys[number] = key
        }
        let behaviour = takeStep(request)
        var (headers, refusal) = admitByRate(request.path, now: now)
        if refusal == nil && (behaviour.misses(request) || lacksToken(request, behaviour, now: now)) {
            refusal = UpstreamResponse(status: 401)
            headers.append(("WWW-Authenticate", behaviour.tokens == nil ? nil : "Bearer error=\"invalid_token\""))
        }
        return Visit(
            number: number, behaviour: behaviour, releases: releases[request.path] ?? 0, refusal: refusal,
            headers: headers)
    }

    /// Counts a request in the narrowest limit for its path.
    private mutating func admitByRate(
        _ path: String, now: UInt64
    ) -> (headers: [(name: String, value: String?)], refusal: UpstreamResponse?) {
        guard let pattern = PathPattern.all(for: path).first(where: { pattern in rates[pattern] != nil }) else {
            return ([], nil)
        }
        return rates[pattern]?.admit(now: now) ?? ([], nil)
    }

    private func lacksToken(_ request: UpstreamRequest, _ behaviour: Behaviour, now: UInt64) -> Bool {
        guard let path = behaviour.tokens else { return false }
        return tokenServers[path]?.accepts(request.bearerToken, now: now) != true
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

    /// Records that a request is answered, or never will be.
    mutating func leave(_ visit: Visit) {
        busyKeys[visit.number] = nil
        log.end(visit.number, now: SystemClock.monotonic)
    }

    mutating func forgetRequests() { log = RequestLog() }

    /// Ends the faults of the paths that match `pattern`, or of all if it is nil, and releases their held requests.
    mutating func endFaults(of pattern: String?) {
        if let pattern { behaviours[pattern] = nil } else { behaviours = [:] }
        forgetFailures(pattern ?? "*")
        release(pattern ?? "*")
    }

    /// Lets the pages that fail so often do so anew.
    mutating func forgetFailures(_ pattern: String) {
        failures = failures.filter { failure in !PathPattern.matches(pattern, failure.key) }
    }

    /// Releases the held requests for the paths that match `pattern`.
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
