// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// Redis with every record under its id, over its Unix socket; it writes its dump only in `save`.
final class Redis {
    static let name = "redis"

    let home: String
    private let program: String
    private var service: BackgroundProcess?

    init?(home: String) throws {
        guard let program = InstalledProgram.path("redis-server") else { return nil }
        self.home = Paths.join(home, "redis")
        self.program = program
        try Directory.create(self.home)
        try start()
    }

    var socket: String { Paths.join(home, "socket") }
    var pid: Int32 { service?.pid ?? 0 }
    var anonymousBytes: Int? { service?.anonymousBytes }

    /// Starts Redis; returns the time until it answered, with its dump loaded.
    @discardableResult
    func start() throws -> Duration {
        let begin = ContinuousClock.now
        let service = try BackgroundProcess(
            Self.name, program,
            [
                "--port", "0", "--unixsocket", socket, "--dir", home, "--save", "", "--appendonly", "no",
                "--daemonize", "no", "--loglevel", "warning",
            ], log: Paths.join(home, "log"))
        self.service = service
        try PeerService.wait(for: socket, service, question: "PING\r\n", answer: "PONG")
        return ContinuousClock.now - begin
    }

    func stop() {
        service?.stop()
        service = nil
    }

    /// Stores every record; returns the time that took.
    func load(_ generator: RecordGenerator) throws -> Duration {
        let batch = 2000
        var text = RecordGenerator.Text()
        var duration = Duration.zero
        for start in stride(from: 0, to: generator.shape.records, by: batch) {
            let end = min(start + batch, generator.shape.records)
            var request: [UInt8] = []
            for record in start..<end {
                let key = "\(RecordGenerator.id(record))"
                let value = generator.document(record, text: &text)
                request += Array("*3\r\n$3\r\nSET\r\n$\(key.utf8.count)\r\n\(key)\r\n$\(value.count)\r\n".utf8)
                request += value + [0x0D, 0x0A]
            }
            let begin = ContinuousClock.now
            let answer = try Load.ask(socket, request, newlines: end - start)
            duration += ContinuousClock.now - begin
            guard answer.count == (end - start) * 5 else { throw BenchError("redis refused records") }
        }
        return duration
    }

    /// Writes the dump that the next start loads; returns its size in bytes.
    func save() throws -> Int {
        let answer = try Load.ask(socket, Array("SAVE\r\n".utf8), timeout: PeerService.maxLoad)
        guard answer.starts(with: "+OK".utf8) else { throw BenchError("redis could not save") }
        return Files.size(Paths.join(home, "dump.rdb")) ?? 0
    }
}
