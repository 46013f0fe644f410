// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform

/// The endpoint `/_control/`: tests ask for faults there, and read the log of requests.
struct Control {
    static let prefix = "/_control/"

    let state: Monitor<SiteState>

    func answer(
        _ request: UpstreamRequest, _ connection: borrowing UpstreamConnection
    ) throws(UpstreamConnection.HangUp) {
        let parts = request.path.dropFirst(Self.prefix.count).split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let subject = String(parts.first ?? "")
        let path = parts.count == 2 ? (parts[1] == "*" ? "*" : "/" + parts[1]) : nil
        switch (request.method, subject) {
        case ("PUT", "faults"), ("POST", "faults"):
            do throws(UpstreamError) {
                guard let path else { throw UpstreamError("which path?") }
                let steps = try Behaviour.steps(request.body)
                state.update { state in state.behaviours[path] = steps }
            } catch {
                return try send(400, error.message, connection)
            }
        case ("DELETE", "faults"):
            state.update { state in state.endFaults(of: path) }
        case ("POST", "release"):
            state.update { state in state.release(path ?? "") }
        case ("PUT", "accept"):
            let times = (try? JSONValue.parse(request.body))?["times"]?.integer
            guard let times, (0...1_000_000).contains(times) else {
                return try send(400, "how many times?", connection)
            }
            state.update { state in state.resets = Int(times) }
        case ("GET", "requests"):
            return try sendLog(request.parameters, connection)
        case ("DELETE", "requests"):
            state.update { state in state.forgetRequests() }
        default:
            return try send(404, "no such control", connection)
        }
        try send(204, "", connection)
    }

    /// Sends the log, of `path` only if that is a parameter, once it has `count` requests or `timeout_ms` (10 s) are
    /// over.
    private func sendLog(
        _ parameters: [String: String], _ connection: borrowing UpstreamConnection
    ) throws(UpstreamConnection.HangUp) {
        let path = parameters["path"]
        let wanted = Int(parameters["count"] ?? "") ?? 0
        let timeout = min(Int(parameters["timeout_ms"] ?? "") ?? 10_000, 60_000)
        _ = state.wait(upTo: .milliseconds(timeout)) { state in
            state.requestCount(for: path) >= wanted ? () : nil
        }
        let answer: JSONValue = state.read { state in
            let entries = state.log.filter { entry in path == nil || entry.request.path == path }
            return [
                "count": .integer(state.requestCount(for: path)), "requests": .array(entries.map(Self.describe)),
            ]
        }
        let body = answer.compactBytes
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        try connection.send(Array(head.utf8) + body)
    }

    private static func describe(_ entry: SiteState.Entry) -> JSONValue {
        let headers = entry.request.headers.map { header in JSONObject.Member(header.name, .string(header.value)) }
        return [
            "number": .integer(entry.number), "method": .string(entry.request.method),
            "path": .string(entry.request.path), "query": .string(entry.request.query),
            "headers": .object(JSONObject(headers)),
        ]
    }

    private func send(
        _ status: Int, _ text: String, _ connection: borrowing UpstreamConnection
    ) throws(UpstreamConnection.HangUp) {
        let body = text.isEmpty ? "" : text + "\n"
        try connection.send("HTTP/1.1 \(status) Control\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }
}
