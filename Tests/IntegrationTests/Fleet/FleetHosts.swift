// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc

/// The hosts of a fleet on one machine: an upstream, leaders whose folders are served, and other hosts.
final class FleetHosts: Sendable {
    let upstream: UpstreamProcess
    /// The web servers of the leaders, by host.
    let webs: [String: UpstreamProcess]
    let daemons: [String: DaemonProcess]
    let leaders: [String]
    private let keys: TemporaryFolder

    /// Prepares all hosts, and starts none.
    ///
    /// - Parameters:
    ///   - url: the address of a leader's folder; nil for that of a server of the test's.
    ///   - more: further members of `source`.
    ///   - marks: `marks` of the fleet; nil for none.
    ///   - notes: whether the fleet shares a collection `notes`, too, which is written on its hosts.
    ///   - source: the address that leaders ask; nil for that of `upstream`.
    ///   - folder: the folder that a leader publishes in; nil for that of a server of the test's.
    init(
        leaders: [String] = ["desk-a"], others: [String] = ["depot"], interval: String = "1h", more: String = "",
        units: String = FleetHosts.units(3), marks: String? = nil, notes: Bool = false, source: String? = nil,
        folder: (String) -> String? = { _ in nil }, url: (String) -> String? = { _ in nil }
    ) throws {
        upstream = try UpstreamProcess(["units.json": units])
        keys = try TemporaryFolder(prefix: "claims-fleet-keys")
        self.leaders = leaders
        var (webs, daemons, entries) = ([String: UpstreamProcess](), [String: DaemonProcess](), [String]())
        for host in leaders {
            let web = try UpstreamProcess()
            webs[host] = web
            try Self.openssl("genpkey", "-algorithm", "ed25519", "-out", keys(host))
            try Self.openssl("pkey", "-in", keys(host), "-pubout", "-out", keys("\(host).pub"))
            let key = try keys.read("\(host).pub").split(separator: "\n")[1]
            entries.append("{ host: \"\(host)\", url: \"\(url(host) ?? web.url(""))\", key: \"\(key)\" }")
        }
        let fleet = """
            { name: "north", collections: ["units"\(notes ? ", \"notes\"" : "")], poll: "2s", marks: \(marks ?? "null"), leaders: [\(entries.joined(separator: ", "))] }
            """
        let source = "url: \"\(source ?? upstream.url("units.json"))\", interval: \"\(interval)\", \(more)"
        for host in leaders + others {
            let daemon = try DaemonProcess(
                site: [
                    "fleet.json5": fleet,
                    "collections.d/units.json5": """
                    { source: { \(source) }, archive: true, fields: { id: { type: "id", from: ["/id"] },
                      name: { type: "text", from: ["/name"] } } }
                    """,
                ], data: keys.path, environment: ["CLAIMSD_TEST_HOST": host])
            daemons[host] = daemon
            if notes { try daemon.folder.write("config/collections.d/notes.json5", Self.notes) }
            guard let web = webs[host] else { continue }
            // The folder that the daemon publishes in is the one that is served.
            guard unsafe symlink(folder(host) ?? web.folder.path, daemon.folder("state-fleet")) == 0 else {
                throw TestFailure("no link")
            }
            try daemon.folder.write("config/credentials/fleet-key", try keys.read(host))
            unsafe chmod(daemon.folder("config/credentials/fleet-key"), 0o600)
        }
        try Directory.create(keys("collections.d"))
        self.webs = webs
        self.daemons = daemons
    }

    /// The definition of a collection that is written on its hosts.
    static let notes = """
        { archive: true, fields: { id: { type: "id", from: ["/id"] }, text: { type: "text", from: ["/text"] },
            files: { type: "json", from: ["/files"] } },
          writes: { to: "local", fields: { text: {} }, create: {}, update: {}, delete: {},
            attachments: { field: "files" } } }
        """

    func daemon(_ host: String) throws -> DaemonProcess {
        guard let daemon = daemons[host] else { throw TestFailure("no host \(host)") }
        return daemon
    }

    func web(_ host: String) throws -> UpstreamProcess {
        guard let web = webs[host] else { throw TestFailure("no web server of \(host)") }
        return web
    }

    /// Starts hosts; all unless some are named.
    func start(_ hosts: String...) throws {
        for host in hosts.isEmpty ? daemons.keys.sorted() : hosts { try daemon(host).start() }
    }

    static func units(_ count: Int, name: String = "Pump") -> String {
        "[" + (1...count).map { "{\"id\":\($0),\"name\":\"\(name) \($0)\"}" }.joined(separator: ",") + "]"
    }

    static func openssl(_ arguments: String...) throws {
        let output = try FileDescriptor.temporary(in: "/tmp")
        let process = try ChildProcess("/usr/bin/openssl", arguments, output: output.raw, error: output.raw)
        guard process.wait() == .exited(0) else { throw TestFailure("openssl fails: \(arguments)") }
    }

    /// The answer of a host about its collection.
    func answer(_ host: String) throws -> JSONValue {
        try daemon(host).connect().request("search", #"{"collection":"units"}"#)
    }

    /// The names of all records of a host, in the order of their ids.
    func names(_ host: String) throws -> [String] {
        let records = try answer(host)["result"]?["records"]?.array ?? []
        return records.sorted { ($0["id"]?.string ?? "") < ($1["id"]?.string ?? "") }.map { $0["name"]?.string ?? "" }
    }

    /// The member `meta` of an answer, also of one without data.
    func meta(_ host: String) throws -> JSONValue {
        let answer = try answer(host)
        return answer["result"]?["meta"] ?? answer["error"]?["data"]?["meta"] ?? .null
    }

    /// Has the leader ask, and the host take what came.
    func refresh(_ host: String, _ more: String = "") throws -> JSONValue {
        try daemon(host).connect().request("refresh", #"{"collection":"units","wait":true\#(more)}"#)
    }

    /// Whether a file that a leader publishes has a text.
    func holds(_ text: String, _ host: String) throws -> Bool {
        let folder = try web(host).folder
        for name in try Directory.list(folder.path) where name.utf8.count == 64 {
            let process = try ChildProcess(
                "/bin/sh", ["-c", "zstd -q -d -c '\(folder(name))' | grep -q '\(text)'"])
            if process.wait() == .exited(0) { return true }
        }
        return false
    }

    /// Waits until a host has what is expected.
    func wait(
        _ host: String, for reason: String, within time: Duration = .seconds(30), until isSo: (JSONValue) -> Bool
    ) throws {
        var answer = JSONValue.null
        try Self.wait("\(host): \(reason)", within: time) {
            answer = try self.answer(host)
            return isSo(answer["result"] ?? answer["error"]?["data"] ?? .null)
        } telling: {
            "\(answer)"
        }
    }

    /// Waits until something is so that nobody tells of: it is looked at again and again.
    static func wait(
        _ reason: String, within time: Duration = .seconds(30), until isSo: () throws -> Bool,
        telling state: () throws -> String = { "" }
    ) throws {
        let deadline = SystemClock.monotonic &+ time.wholeNanoseconds
        while try !isSo() {
            guard SystemClock.monotonic < deadline else { throw TestFailure("not so: \(reason) \(try state())") }
            _ = Monitor(false).wait(upTo: .milliseconds(50)) { $0 ? true : nil }
        }
    }
}
