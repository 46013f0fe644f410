// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform

/// The endpoint `/_control/`: tests ask for faults there, and read the logs of requests and writes.
struct Control {
    static let prefix = "/_control/"

    let state: Monitor<SiteState>

    /// Does what `request` asks for, and answers it.
    func answer(
        _ request: UpstreamRequest, _ connection: borrowing UpstreamConnection
    ) throws(UpstreamConnection.HangUp) {
        let parts = request.path.dropFirst(Self.prefix.count).split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts.count == 2 ? (parts[1] == "*" ? "*" : "/" + parts[1]) : nil
        let result: JSONValue?
        do throws(UpstreamError) {
            result = try perform("\(request.method) \(parts.first ?? "")", path, request)
        } catch {
            return try send(400, Array("\(error.message)\n".utf8), connection)
        }
        try send(result == nil ? 204 : 200, result?.compactBytes ?? [], connection)
    }

    /// Performs a command; the result is nil if it has none.
    private func perform(
        _ command: String, _ path: String?, _ request: UpstreamRequest
    ) throws(UpstreamError) -> JSONValue? {
        switch command {
        case "PUT faults", "POST faults":
            let path = try Self.required(path)
            let steps = try Behaviour.steps(request.body)
            state.update { state in
                state.behaviours[path] = steps
                state.forgetFailures(path)
            }
        case "DELETE faults": state.update { state in state.endFaults(of: path) }
        case "POST release": state.update { state in state.release(path ?? "*") }
        case "PUT accept":
            guard let times = try Self.json(request.body)["times"]?.integer, (0...1_000_000).contains(times) else {
                throw UpstreamError("how many times?")
            }
            state.update { state in state.resets = Int(times) }
        case "GET requests":
            return entries(
                "requests", request.parameters, counts: { state in state.log.counts },
                entries: { state in state.log.entries.map { entry in (entry.request.path, entry.json) } })
        case "DELETE requests": state.update { state in state.forgetRequests() }
        case "GET writes":
            return entries(
                "writes", request.parameters, counts: { state in state.writes.counts },
                entries: { state in state.writes.entries.map { entry in (entry.path, entry.json) } })
        case "DELETE writes": state.update { state in state.writes.forget() }
        case "PUT stores":
            let path = try Self.required(path)
            let rules = try StoreRules(request.body)
            state.update { state in state.changeStore(path) { store in store.rules = rules } }
        case "GET records":
            let path = try Self.required(path)
            return .array(state.read { state in state.stores[path]?.all ?? [] }.map(JSONValue.object))
        case "PUT tokens", "GET tokens", "POST revoke":
            return try performOnTokens(command, try Self.required(path), request)
        case "PUT limits":
            let path = try Self.required(path)
            let rate = try Rate(try Self.json(request.body))
            state.update { state in state.rates[path] = rate }
        case "DELETE limits": state.update { state in state.rates = [:] }
        case "PUT records": try putRecords(try Self.required(path), try Self.json(request.body))
        default: throw UpstreamError("no such control")
        }
        return nil
    }

    /// The entries of a log whose path matches the parameter `path`, once there are `count` or `timeout_ms` (10 s) are
    /// over.
    private func entries(
        _ name: String, _ parameters: [String: String], counts: (SiteState) -> [String: Int],
        entries: (SiteState) -> [(path: String, json: JSONValue)]
    ) -> JSONValue {
        let pattern = parameters["path"] ?? "*"
        let wanted = Int(parameters["count"] ?? "") ?? 0
        let timeout = min(Int(parameters["timeout_ms"] ?? "") ?? 10_000, 60_000)
        func count(_ state: SiteState) -> Int {
            counts(state).reduce(0) { sum, path in PathPattern.matches(pattern, path.key) ? sum + path.value : sum }
        }
        _ = state.wait(upTo: .milliseconds(timeout)) { state in count(state) >= wanted ? () : nil }
        return state.read { state in
            let entries = entries(state).filter { entry in PathPattern.matches(pattern, entry.path) }
            return ["count": .integer(count(state)), name: .array(entries.map(\.json))]
        }
    }

    /// Performs a command for a token server.
    private func performOnTokens(
        _ command: String, _ path: String, _ request: UpstreamRequest
    ) throws(UpstreamError) -> JSONValue? {
        switch command {
        case "PUT tokens":
            let rules = try TokenRules(try Self.json(request.body))
            state.update { state in
                if state.tokenServers[path] == nil { state.tokenServers[path] = TokenServer(rules) }
                state.tokenServers[path]?.change(rules)
            }
            return nil
        case "POST revoke":
            let endsRefresh = request.parameters["refresh"] == "true"
            state.update { state in state.tokenServers[path]?.revoke(refresh: endsRefresh) }
            return nil
        default:
            guard let json = state.read({ state in state.tokenServers[path]?.json }) else {
                throw UpstreamError("no such token server")
            }
            return json
        }
    }

    /// Replaces the records of a store, or one record of it, without a write.
    private func putRecords(_ path: String, _ value: JSONValue) throws(UpstreamError) {
        let isDone = state.update { state in
            guard let store = state.store(for: path) else { return false }
            let rest = SiteState.rest(of: path, below: store)
            switch (rest.count, value) {
            case (0, .array(let records)): state.changeStore(store.path) { store in store.replace(records) }
            case (1, .object(let record)): state.changeStore(store.path) { store in store.put(rest[0], record) }
            case (1, .null): state.changeStore(store.path) { store in store.put(rest[0], nil) }
            default: return false
            }
            return true
        }
        guard isDone else { throw UpstreamError("no such store, or no records") }
    }

    private static func required(_ path: String?) throws(UpstreamError) -> String {
        guard let path else { throw UpstreamError("which path?") }
        return path
    }

    private static func json(_ text: [UInt8]) throws(UpstreamError) -> JSONValue {
        do throws(JSONError) { return try JSONValue.parse(text) } catch {
            throw UpstreamError("not JSON: \(error.message)")
        }
    }

    private func send(
        _ status: Int, _ body: [UInt8], _ connection: borrowing UpstreamConnection
    ) throws(UpstreamConnection.HangUp) {
        var response = UpstreamResponse(status: status, body: body)
        response["Content-Length"] = "\(body.count)"
        try connection.send(Array((response.head + "\r\n").utf8) + body)
    }
}
