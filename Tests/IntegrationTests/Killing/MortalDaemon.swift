// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport

/// A daemon that is killed again and again while everything happens at once: two upstreams publish, records are archived
/// and restored, and somebody reads.
final class MortalDaemon: Sendable {
    let findings: Findings
    private let upstream: UpstreamProcess
    private let daemon: DaemonProcess
    private let collections: [ServedCollection]
    private let archivists: [Archivist]

    init() throws {
        let upstream = try UpstreamProcess()
        let findings = Findings()
        let names = ["left", "right"]
        daemon = try DaemonProcess(
            site: Dictionary(
                uniqueKeysWithValues: names.map { name in
                    ("collections.d/\(name).json5", Self.definition(url: upstream.url("\(name).json")))
                }))
        let collections = try names.map { try ServedCollection($0, upstream, findings) }
        archivists = (0..<3).map { number in
            let ids = (0..<Edition.constant).filter { $0 % 3 == number }.map { "\($0)" }
            return Archivist(collections[number % 2], ids: ids, findings)
        }
        self.upstream = upstream
        self.findings = findings
        self.collections = collections
        // The very first generation is taken whatever it is, so that it must be a whole one.
        try daemon.start()
        _ = try daemon.connect().request("refresh", #"{"wait":true}"#)
        daemon.kill()
    }

    var acknowledged: Int { archivists.reduce(0) { $0 + $1.answered } }
    var editions: Int { collections.reduce(0) { $0 + $1.editions } }

    /// Starts the daemon, compares, lets everything loose, and kills the daemon at some moment.
    ///
    /// - Returns: how long the start took.
    func round(_ chance: inout SeededGenerator) throws -> Duration {
        let start = SystemClock.monotonic
        if chance.oneIn(6) {
            try daemon.launch()
            try daemon.kill(after: .microseconds(Int.random(in: 0..<60_000, using: &chance)))
        }
        try daemon.start()
        let time = Duration.nanoseconds(Int64(SystemClock.monotonic - start))
        let client = try daemon.connect()
        try compare(client)
        try runAll(for: .microseconds(Int.random(in: 0..<200_000, using: &chance)), &chance)
        if chance.oneIn(10) { try daemon.loseCache() }
        if chance.oneIn(10), let path = try daemon.snapshots().randomElement(using: &chance) {
            let bytes = try Files.readAll(path, cap: 1 << 30)
            let count = Int.random(in: 0...bytes.count, using: &chance)
            try Files.writeAtomically(path, Array(bytes.prefix(count)))
        }
        return time
    }

    /// Starts the daemon once more, and compares.
    func conclude() throws {
        try daemon.start()
        try compare(try daemon.connect())
        try daemon.stop()
        let remains = try Directory.list(daemon.folder("state")).filter { $0.contains("damaged") }
        if !remains.isEmpty { findings.add("the state was taken for damaged: \(remains)") }
    }

    /// The daemon's output, for the report of a failure.
    var log: String { daemon.log }

    private func compare(_ client: LineClient) throws {
        for collection in collections {
            let archived = try collection.look(client)
            for archivist in archivists where archivist.collection === collection {
                archivist.check(archived)
            }
        }
    }

    private func runAll(for time: Duration, _ chance: inout SeededGenerator) throws {
        let seeds = (0..<6).map { _ in chance.next() }
        let publishers = collections.map { Publisher(collection: $0, upstream: upstream, findings: findings) }
        let archivists = archivists
        let threads = [
            try Worker("left") { [daemon] in publishers[0].work(daemon, seed: seeds[0]) },
            try Worker("right") { [daemon] in publishers[1].work(daemon, seed: seeds[1]) },
            try Worker("archive 0") { [daemon] in archivists[0].work(daemon, seed: seeds[2]) },
            try Worker("archive 1") { [daemon] in archivists[1].work(daemon, seed: seeds[3]) },
            try Worker("archive 2") { [daemon] in archivists[2].work(daemon, seed: seeds[4]) },
            try Worker("read") { [daemon, collections] in
                guard let client = try? daemon.connect() else { return }
                while (try? collections.forEach { _ = try $0.look(client) }) != nil {}
            },
        ]
        try withExtendedLifetime(threads) { try daemon.kill(after: time) }
    }

    private static func definition(url: String) -> String {
        """
        {
            source: { url: "\(url)", interval: "1s" },
            fields: {
                id: { type: "id", from: ["/id"] },
                title: { type: "text", from: ["/title"], search: true },
                text: { type: "text", from: ["/text"], search: true },
            },
            archive: true,
        }
        """
    }

    /// Waits for the thread when it goes.
    private final class Worker: Sendable {
        private let thread: NamedThread

        init(_ name: String, _ body: @escaping @Sendable () -> Void) throws { thread = try NamedThread(name, body) }
    }
}
