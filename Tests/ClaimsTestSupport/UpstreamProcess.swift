// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import Synchronization

/// A running `claims-upstream` with a folder of its own: it serves that, and misbehaves on command.
public final class UpstreamProcess: Sendable {
    /// A request that the server has read.
    public struct Request: Sendable {
        public let method: String
        public let path: String
        public let query: String
        /// Names in lower case.
        public let headers: [String: String]
        /// The body; empty before it is read, and if it is longer than 16 KiB.
        public let body: String
        /// When its head was read, in microseconds of the monotonic clock.
        public let begun: Int64
        /// When its answer was sent, or given up; nil before that.
        public let ended: Int64?
    }

    /// The files that are served; writing one changes the answer.
    public let folder: TemporaryFolder
    public let port: UInt16
    private let process: Mutex<RunningProgram?>
    private let stores = Mutex<[String: Store]>([:])

    /// A store that a restart makes again.
    private struct Store {
        var rules: String
        /// As they were when the server was stopped with its stores kept.
        var records: [JSONValue] = []
    }

    /// Starts the server on a free port, with these files.
    public init(_ files: [String: String] = [:]) throws {
        folder = try TemporaryFolder(prefix: "claims-upstream")
        for (name, text) in files { try folder.write(name, text) }
        let (program, port) = try Self.start(folder.path, port: 0)
        self.port = port
        process = Mutex(program)
    }

    /// The URL of a file.
    public func url(_ name: String) -> String { "http://127.0.0.1:\(port)/\(name)" }

    /// Stops the server: from now on its port is closed.
    public func stop() {
        process.withLock { process in process = nil }
    }

    /// Stops the server; the next start has the records that its stores have now.
    public func stopKeepingStores() throws {
        for name in stores.withLock({ stores in Array(stores.keys) }) {
            let records = try records(name)
            stores.withLock { stores in stores[name]?.records = records }
        }
        stop()
    }

    /// Starts the server again, on the same port, without any faults, and with its stores.
    public func start() throws {
        stop()
        let (program, _) = try Self.start(folder.path, port: port)
        process.withLock { process in process = program }
        for (name, store) in stores.withLock({ stores in stores }) {
            let records = String(decoding: JSONValue.array(store.records).compactBytes, as: UTF8.self)
            try keep(name, records, rules: store.rules)
        }
    }

    /// Lets a file misbehave: a JSON object, or an array of steps; `claims-upstream --help` has the members.
    public func misbehave(_ name: String, _ steps: String) throws {
        _ = try control("PUT", "faults/\(name)", body: steps)
    }

    /// Lets a file, or everything, behave again.
    public func behave(_ name: String? = nil) throws {
        _ = try control("DELETE", name.map { name in "faults/\(name)" } ?? "faults")
    }

    /// Lets the held requests for a file go on.
    public func release(_ name: String) throws { _ = try control("POST", "release/\(name)") }

    /// Resets the next connections, but for those that the next calls here would make: call nothing until then.
    public func resetConnections(_ count: Int) throws {
        _ = try control("PUT", "accept", body: "{\"times\":\(count)}")
    }

    /// The requests for a file, once there were `count` of them.
    @discardableResult
    public func requests(_ name: String, count: Int = 0) throws -> [Request] {
        let body = try control("GET", "requests?path=/\(name)&count=\(count)&timeout_ms=20000")
        let answer = try JSONValue.parse(body)
        guard let entries = answer["requests"]?.array, entries.count >= count else {
            throw TestFailure("\(name) was not asked for \(count) times")
        }
        return entries.map { entry in
            let headers = entry["headers"]?.object?.members ?? []
            return Request(
                method: entry["method"]?.string ?? "", path: entry["path"]?.string ?? "",
                query: entry["query"]?.string ?? "",
                headers: Dictionary(
                    headers.map { header in (header.key, header.value.string ?? "") }, uniquingKeysWith: { $1 }),
                body: entry["body"]?.string ?? "", begun: entry["begun_us"]?.integer ?? 0,
                ended: entry["ended_us"]?.integer)
        }
    }

    /// Forgets the requests so far.
    public func forgetRequests() throws { _ = try control("DELETE", "requests") }

    /// Notes the rules of a store for the next start.
    func remember(_ name: String, rules: String) {
        stores.withLock { stores in stores[name, default: Store(rules: rules)].rules = rules }
    }

    func control(_ method: String, _ path: String, body: String = "") throws -> [UInt8] {
        let answer = try LoopbackHTTP.send(method, "/_control/\(path)", to: port, body: Array(body.utf8))
        guard let answer, answer.status == 200 || answer.status == 204 else {
            throw TestFailure("\(method) \(path): \(answer?.text ?? "no answer")")
        }
        return answer.body
    }

    private static func start(_ folder: String, port: UInt16) throws -> (RunningProgram, UInt16) {
        let program = try RunningProgram(
            "claims-upstream", ["--folder", folder, "--port", "\(port)", "--until-eof"],
            environment: BuiltProgram.environment())
        let line = try program.readLine()
        guard let port = line.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw TestFailure("claims-upstream says \(line)")
        }
        return (program, port)
    }
}
