// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport

/// A daemon as a user's own, with credentials in its configuration folder, and an upstream for its collections.
struct SourceSite {
    let upstream: UpstreamProcess
    let daemon: DaemonProcess

    /// Prepares both; `daemon.start()` starts.
    /// - Parameters:
    ///   - sources: the sources of the collections, members of an object of JSON5; `UPSTREAM` in them is the address.
    ///   - more: further members of all definitions.
    ///   - settings: of `claimsd.json5`.
    init(
        _ sources: [String: String], credentials: [String: String] = [:], more: String = "", settings: String = "{}",
        environment: [String: String] = [:], upstream: UpstreamProcess? = nil
    ) throws {
        let upstream = try upstream ?? UpstreamProcess()
        self.upstream = upstream
        daemon = try DaemonProcess(site: ["claimsd.json5": settings], environment: environment)
        for (name, source) in sources { try define(name, source, more: more) }
        for (name, secret) in credentials { try keepSecret(name, secret) }
    }

    /// Writes a definition; a running daemon reads it at a reload.
    func define(_ name: String, _ source: String, more: String = "") throws {
        let source = source.replacing("UPSTREAM", with: "http://127.0.0.1:\(upstream.port)")
        let interval = source.contains("interval:") ? "" : #"interval: "1h","#
        try daemon.configure(
            "collections.d/\(name).json5",
            """
            { source: { \(interval) \(source) },
              fields: { id: { type: "id", from: "/id" }, name: { type: "text", from: "/name", search: true },
                        rev: { type: "integer", from: "/rev" }, plant: { type: "text", from: "/plant" } }, \(more) }
            """)
    }

    /// Writes a credential, as `chmod 600` leaves it.
    func keepSecret(_ name: String, _ secret: String) throws {
        try Directory.create(daemon.folder("config/credentials"))
        try daemon.configure("credentials/\(name)", secret)
        try Files.setPermissions(daemon.folder("config/credentials/\(name)"), 0o600)
    }

    /// Refreshes a collection, and returns the results of it, or of its sites.
    @discardableResult
    func refresh(_ name: String, _ more: String = "") throws -> [JSONValue] {
        let client = try daemon.connect()
        let answer = try client.request("refresh", #"{"collection":"\#(name)","wait":true\#(more)}"#)
        guard let results = answer.at("result", "collections")?.array, !results.isEmpty else {
            throw TestFailure("no refresh: \(answer)")
        }
        return results
    }

    /// The `meta` of a collection.
    func meta(_ name: String) throws -> JSONValue {
        let status = try daemon.connect().request("status")
        let found = status.at("result", "collections")?.array?.first { item in item["name"]?.string == name }
        guard let meta = found?["meta"] else { throw TestFailure("no \(name): \(status)") }
        return meta
    }

    /// The members of the records that are served, by their ids.
    func served(_ name: String) throws -> [String: JSONValue] {
        let answer = try daemon.connect().request("search", #"{"collection":"\#(name)","limit":1000}"#)
        guard let records = answer.at("result", "records")?.array else { throw TestFailure("no records: \(answer)") }
        return Dictionary(records.map { record in (record["id"]?.string ?? "", record) }, uniquingKeysWith: { $1 })
    }

    /// An array of so many records with ids and revisions from 1 on.
    static func records(_ count: Int) -> String {
        let records = (1...count).map { number in #"{"id":"\#(number)","name":"N\#(number)","rev":\#(number)}"# }
        return "[\(records.joined(separator: ","))]"
    }
}
