// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport

/// A daemon whose collection `docs` is written to an upstream that keeps it.
struct WritingSite {
    let upstream: UpstreamProcess
    let daemon: DaemonProcess

    /// - Parameter more: further members of `writes`.
    init(_ records: String = #"[{"id":"1","title":"one"},{"id":"2","title":"two"}]"#, more: String = "") throws {
        upstream = try UpstreamProcess()
        try upstream.keep("docs", records)
        daemon = try DaemonProcess(site: [
            "collections.d/docs.json5": """
            { source: { url: "\(upstream.url("docs"))", interval: "1h" },
              fields: { id: { type: "id", from: "/id" }, title: { type: "text", from: "/title" } },
              writes: { to: "upstream", fields: { title: {} }, \(more)
                create: { url: "\(upstream.url("docs"))", id: "/id" },
                update: { url: "\(upstream.url("docs"))/{id}" },
                delete: { url: "\(upstream.url("docs"))/{id}" } } }
            """
        ])
        try daemon.start()
        _ = try refresh(daemon.connect())
    }

    static let keys = #"idempotency: { header: "Idempotency-Key", life: "1h" },"#

    /// Refreshes the collection and returns when that has ended.
    func refresh(_ client: LineClient) throws -> JSONValue {
        try client.request("refresh", #"{"collection":"docs","wait":true,"force":true}"#)
    }

    /// Submits a write and returns its operation.
    func submit(_ client: LineClient, _ parameters: String) throws -> String {
        let answer = try client.request("submit", #"{"collection":"docs",\#(parameters)}"#)
        guard let operation = answer["result"]?["op"]?.string else { throw TestFailure("not submitted: \(answer)") }
        return operation
    }

    /// Waits until nothing of these operations is queued or being sent, and returns their states.
    func wait(_ client: LineClient, _ operations: [String]) throws -> [String] {
        let list = operations.map { "\"\($0)\"" }.joined(separator: ",")
        var answer = try client.request("outbox", #"{"action":"wait","ops":[\#(list)]}"#)
        // Progress comes before the answer.
        while answer["method"]?.string == "progress" {
            guard let line = try client.receive() else { throw TestFailure("no answer") }
            answer = try JSONValue.parse(line)
        }
        guard let found = answer["result"]?["operations"]?.array else { throw TestFailure("no outbox: \(answer)") }
        return operations.map { operation in
            found.first { $0["op"]?.string == operation }?["state"]?.string ?? "unknown"
        }
    }
}
