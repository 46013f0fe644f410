// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// The endpoint by which tests say what is to go wrong, and learn what was asked.
enum Control {
    static let prefix = "/_control/"

    static func answer(
        _ request: Request, _ site: Site, _ connection: borrowing Connection
    ) throws(Connection.Gone) {
        let parts = request.path.dropFirst(prefix.count).split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let subject = String(parts.first ?? "")
        let path = parts.count == 2 ? (parts[1] == "*" ? "*" : "/" + parts[1]) : nil
        switch (request.method, subject) {
        case ("PUT", "faults"), ("POST", "faults"):
            do throws(UpstreamError) {
                guard let path else { throw UpstreamError("which path?") }
                let steps = try Behaviour.steps(request.body)
                site.state.change { state in state.behaviours[path] = steps }
            } catch {
                return try send(400, error.message, connection)
            }
        case ("DELETE", "faults"):
            site.state.change { state in
                if let path { state.behaviours[path] = nil } else { state.behaviours = [:] }
                // Nobody waits for what is over.
                for held in state.counts.keys where path == nil || path == held {
                    state.releases[held, default: 0] += 1
                }
            }
        case ("POST", "release"):
            site.state.change { state in state.releases[path ?? "", default: 0] += 1 }
        case ("PUT", "accept"):
            let times = (try? JSONValue.parse(request.body))?["times"]?.integer
            guard let times, (0...1_000_000).contains(times) else {
                return try send(400, "how many times?", connection)
            }
            site.state.change { state in state.resets = Int(times) }
        case ("GET", "requests"):
            return try sendLog(request.parameters, site, connection)
        case ("DELETE", "requests"):
            site.state.change { state in
                state.log = []
                state.counts = [:]
                state.total = 0
            }
        default:
            return try send(404, "no such control", connection)
        }
        try send(204, "", connection)
    }

    /// Sends the requests, those for `path` only if there is one; waits until there were `count` of them, for
    /// `timeout_ms` (10 s) at most.
    private static func sendLog(
        _ parameters: [String: String], _ site: Site, _ connection: borrowing Connection
    ) throws(Connection.Gone) {
        let path = parameters["path"]
        let wanted = Int(parameters["count"] ?? "") ?? 0
        let timeout = min(Int(parameters["timeout_ms"] ?? "") ?? 10_000, 60_000)
        let count = { (state: Site.State) in path.map { path in state.counts[path] ?? 0 } ?? state.total }
        let answer: JSONValue = site.state.wait(.milliseconds(timeout)) { state in
            count(state) >= wanted
        } then: { state in
            let entries = state.log.filter { entry in path == nil || entry.request.path == path }
            return ["count": .integer(count(state)), "requests": .array(entries.map(describe))]
        }
        let body = answer.compactBytes
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        try connection.send(Array(head.utf8) + body)
    }

    private static func describe(_ entry: Site.Entry) -> JSONValue {
        let headers = entry.request.headers.map { header in JSONObject.Member(header.name, .string(header.value)) }
        return [
            "number": .integer(entry.number), "method": .string(entry.request.method),
            "path": .string(entry.request.path), "query": .string(entry.request.query),
            "headers": .object(JSONObject(headers)),
        ]
    }

    private static func send(
        _ status: Int, _ text: String, _ connection: borrowing Connection
    ) throws(Connection.Gone) {
        let body = text.isEmpty ? "" : text + "\n"
        try connection.send("HTTP/1.1 \(status) Control\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }
}
