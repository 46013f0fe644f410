// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CBench
import ClaimsJSON
import ClaimsPlatform
import Glibc

/// A claimsd with one collection from a file, in folders of its own.
final class MeasuredDaemon {
    let home: String
    private let program: String
    private var service: BackgroundProcess?
    /// Its name as a host of a fleet; nil for the name of this machine.
    private var host: String?

    /// The maximum time of a start.
    private static let maxStart: Duration = .seconds(300)

    /// Makes the folders and the definition; does not start the daemon.
    init(home: String, program: String) throws {
        self.home = home
        self.program = program
        for folder in ["config", "data/collections.d", "cache", "state"] {
            try Directory.create(Paths.join(home, folder))
        }
        try define()
        try Files.writeAtomically(
            Paths.join(home, "config/claimsd.json5"),
            Array(
                """
                { limits: { body: "8G", records: 12000000, transfer: "30min",
                            subscriptions_per_user: 10000, subscriptions_all: 10000 } }

                """.utf8))
    }

    /// The part that other threads may use too.
    var control: DaemonControl { DaemonControl(home: home) }
    var socket: String { control.socket }
    private var log: String { Paths.join(home, "log") }

    /// Writes the definition, which the next start reads.
    ///
    /// - Parameters:
    ///   - source: the value of its member `source`; nil: a file.
    ///   - writes: the value of its member `writes`.
    ///   - access: the value of its member `access`.
    func define(source: String? = nil, writes: String = "null", access: String = "null") throws {
        try Files.writeAtomically(
            Paths.join(home, "data/collections.d/\(CollectionShape.collection).json5"),
            Array(definition(source: source ?? fileSource, writes: writes, access: access).utf8))
    }

    /// Makes it a host of a fleet, from the next start on.
    ///
    /// - Parameters:
    ///   - fleet: the text of `fleet.json5`.
    ///   - key: the file with the key of a leader; nil for another host.
    func join(_ fleet: String, as host: String, key: String? = nil) throws {
        self.host = host
        try Files.writeAtomically(Paths.join(home, "config/fleet.json5"), Array(fleet.utf8))
        guard let key else { return }
        for folder in [Paths.join(home, "config/credentials"), published] { try Directory.create(folder) }
        let credential = Paths.join(home, "config/credentials/fleet-key")
        try Files.writeAtomically(credential, try Files.readAll(key, cap: 1 << 16))
        try Files.setPermissions(credential, 0o600)
    }

    /// The folder that a leader publishes in.
    var published: String { Paths.join(home, "state-fleet") }

    private var fileSource: String { "{ url: \"file://\(control.source)\", interval: \"1d\" }" }

    private func definition(source: String, writes: String, access: String) -> String {
        let phases = RecordGenerator.phases.enumerated()
            .map { "\($0.element): { rank: \($0.offset + 1)0, label: { en: \"\($0.element)\" } }" }
        return """
            {
              title: "Items", singular: "item",
              source: \(source),
              fields: {
                id: { type: "id", from: ["/id"] },
                heading: { type: "text", from: ["/heading"], search: true },
                remark: { type: "text", from: ["/remark"], search: true },
                phase: { type: "enum", from: ["/phase"], vocabulary: "phase" },
                price: { type: "decimal", from: ["/price"] },
                moment: { type: "instant", from: ["/moment"] },
                party: { type: "text", from: ["/party"] },
              },
              vocabularies: { phase: { fallback: "other", absent: null, codes: {
                \(phases.joined(separator: ",\n    ")),
                other: { rank: -1, label: { en: "other" } },
              } } },
              sort: ["id"], sorts: { dearest: ["-price"], latest: ["-moment"] },
              list: ["id", "heading", "phase"], archive: true, writes: \(writes), access: \(access),
            }

            """
    }

    /// Starts the daemon; returns the time until it notified READY=1 (sd_notify(3)).
    @discardableResult
    func start() throws -> Duration {
        let notify = Paths.join(home, "notify")
        Files.remove(notify)
        let raw = unsafe bench_notify_socket(notify)
        guard raw >= 0 else { throw SystemError.last("make \(notify)") }
        let inbox = FileDescriptor(owning: raw)
        let folders = ["config", "data", "cache", "state"].flatMap { ["--\($0)-dir", Paths.join(home, $0)] }
        let start = ContinuousClock.now
        let environment = ["NOTIFY_SOCKET=\(notify)"] + (host.map { ["CLAIMSD_TEST_HOST=\($0)"] } ?? [])
        let service = try BackgroundProcess(
            "claimsd", program, folders + ["--socket", socket], environment: environment, log: log)
        self.service = service
        while ContinuousClock.now - start < Self.maxStart {
            if Self.isReady(inbox.raw) { return ContinuousClock.now - start }
            guard service.isRunning else { break }
        }
        throw BenchError("claimsd did not become ready: \(logTail)")
    }

    private static func isReady(_ inbox: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = unsafe buffer.withUnsafeMutableBytes { room in
            unsafe room.baseAddress.map { unsafe bench_notify_receive(inbox, $0, room.count, 100) } ?? -1
        }
        guard count > 0 else { return false }
        return String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").contains("READY=1")
    }

    func stop() {
        service?.stop()
        service = nil
    }

    var pid: Int32 { service?.pid ?? 0 }
    var anonymousBytes: Int? { service?.anonymousBytes }

    /// The number of lines that it logged so far, over all starts.
    var logLines: Int { ((try? Files.readAll(log, cap: 1 << 26)) ?? []).count { $0 == UInt8(ascii: "\n") } }

    /// The end of its log.
    var logTail: String {
        let text = (try? Files.readText(log, cap: 1 << 26)) ?? ""
        return text.split(separator: "\n").suffix(3).joined(separator: " | ")
    }

    /// Bytes on disk: the state database, and the snapshots.
    var fileSizes: (state: Int, snapshots: Int) {
        (Self.size(Paths.join(home, "state")), Self.size(Paths.join(home, "cache")))
    }

    private static func size(_ folder: String) -> Int {
        let below = ((try? Directory.list(folder)) ?? []).map { Paths.join(folder, $0) }.filter(Files.isDirectory)
        return below.reduce(Directory.size(folder)) { $0 + size($1) }
    }
}

/// Feeds and refreshes a running claimsd. It knows only the folder, so any thread may use it.
struct DaemonControl: Sendable {
    let home: String

    /// The maximum time of a refresh.
    private static let maxRefresh: Duration = .seconds(1800)

    var socket: String { Paths.join(home, "socket") }
    /// The file that its one source names.
    var source: String { Paths.join(home, "source.json") }

    /// Sets the file that the next refresh reads.
    func feed(_ path: String) throws {
        // A new file under the old name: the daemon may still have the old one mapped.
        Files.remove(source)
        guard unsafe symlink(path, source) == 0 else { throw SystemError.last("link \(path)") }
    }

    /// Makes the next refresh read an empty array.
    func feedNothing() throws {
        let empty = Paths.join(home, "empty.json")
        if !Files.exists(empty) { try Files.writeAtomically(empty, Array("[]".utf8)) }
        try feed(empty)
    }

    /// The answer to a request about the one collection.
    ///
    /// - Parameter parameters: further members of `params`, with commas between.
    @discardableResult
    func ask(_ method: String, _ parameters: String) throws -> JSONValue {
        try answer(method, #""collection":"\#(CollectionShape.collection)",\#(parameters)"#)
    }

    /// The answer to a request with these members of `params`.
    func answer(_ method: String, _ parameters: String = "") throws -> JSONValue {
        let request = #"{"id":1,"method":"\#(method)","params":{\#(parameters)}}"#
        return try JSONValue.parse(try Load.ask(socket, Array((request + "\n").utf8)))
    }

    /// Refreshes now; returns the time until the new data was published.
    @discardableResult
    func refresh() throws -> Duration {
        let request = """
            {"id":1,"method":"refresh","params":{"collection":"\(CollectionShape.collection)","wait":true,"force":true,"accept":true}}

            """
        let start = ContinuousClock.now
        let answer = try Load.ask(socket, Array(request.utf8), timeout: Self.maxRefresh)
        let duration = ContinuousClock.now - start
        let outcome = try JSONValue.parse(answer)["result"]?["collections"]?.array?.first?["outcome"]
        guard outcome?.string == "updated" || outcome?.string == "unchanged" else {
            throw BenchError("the refresh answered \(String(decoding: answer.prefix(600), as: UTF8.self))")
        }
        return duration
    }
}
