// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CBench
import ClaimsJSON
import ClaimsPlatform
import Glibc

/// A claimsd of our own: with one collection, fed from a file, in folders that nobody else uses.
final class Daemon {
    static let collection = "items"

    let home: String
    private let program: String
    private var service: Service?

    /// The longest that a start may take.
    private static let startLimit: Duration = .seconds(300)

    /// Makes the folders and the definition; starts nothing.
    init(home: String, program: String) throws {
        self.home = home
        self.program = program
        for folder in ["config", "data/collections.d", "cache", "state"] {
            try Directory.create(Paths.join(home, folder))
        }
        try Files.writeAtomically(
            Paths.join(home, "data/collections.d/\(Self.collection).json5"), Array(definition.utf8))
        try Files.writeAtomically(
            Paths.join(home, "config/claimsd.json5"),
            Array("{ limits: { body: \"8G\", records: 12000000, transfer: \"30min\" } }\n".utf8))
    }

    /// What may be done with it from other threads too.
    var control: DaemonControl { DaemonControl(home: home) }
    var socket: String { control.socket }
    private var log: String { Paths.join(home, "log") }

    private var definition: String {
        let phases = RecordGenerator.phases.enumerated()
            .map { "\($0.element): { rank: \($0.offset + 1)0, label: { en: \"\($0.element)\" } }" }
        return """
            {
              title: "Items", singular: "item",
              source: { url: "file://\(control.source)", interval: "1d" },
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
              list: ["id", "heading", "phase"], archive: true,
            }

            """
    }

    /// Starts it and returns how long it took until it was ready, as its service manager would see it.
    @discardableResult
    func start() throws -> Duration {
        let notify = Paths.join(home, "notify")
        Files.remove(notify)
        let raw = unsafe bench_notify_socket(notify)
        guard raw >= 0 else { throw SystemError.last("make \(notify)") }
        let inbox = FileDescriptor(owning: raw)
        let folders = ["config", "data", "cache", "state"].flatMap { ["--\($0)-dir", Paths.join(home, $0)] }
        let start = ContinuousClock.now
        let service = try Service(
            "claimsd", program, folders + ["--socket", socket], environment: ["NOTIFY_SOCKET=\(notify)"], log: log)
        self.service = service
        while ContinuousClock.now - start < Self.startLimit {
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

    /// The end of what it logged.
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
