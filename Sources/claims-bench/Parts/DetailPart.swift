// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// One record by its id, at so many connections and so many requests in flight on each.
struct DetailPart {
    private let stage: Stage
    /// Each run is short, so that the servers take turns often.
    private let duration: Duration

    init(_ stage: Stage) {
        self.stage = stage
        duration = stage.options.isQuick ? .milliseconds(100) : .milliseconds(200)
    }

    struct Mode: Hashable {
        let connections: Int
        let depth: Int

        var name: String { "\(connections)×\(depth)" }

        static let all = [1, 16, 64].flatMap { connections in
            [1, 16, 64].map { Mode(connections: connections, depth: $0) }
        }
    }

    private struct Server {
        let name: String
        let socket: String
        let pid: Int32
        let script: RequestScript
        let modes: [Mode]
    }

    private var servers: [Server] {
        let details = Requests.details(stage.shape)
        var servers = [
            Server(
                name: Results.claimsd, socket: stage.daemon.socket, pid: stage.daemon.pid, script: details,
                modes: Mode.all),
            Server(
                name: EchoServer.name, socket: stage.echo.socket, pid: stage.echo.pid, script: details, modes: Mode.all),
        ]
        if let redis = stage.redis {
            let gets = Requests.gets(stage.shape)
            servers.append(
                Server(name: Redis.name, socket: redis.socket, pid: redis.pid, script: gets, modes: Mode.all))
        }
        if let watchman = stage.watchman {
            let few = [Mode(connections: 1, depth: 1), Mode(connections: 16, depth: 1)]
            servers.append(
                Server(
                    name: Watchman.name, socket: watchman.socket, pid: watchman.pid, script: Requests.versions(),
                    modes: few))
        }
        return servers
    }

    func run() throws {
        try check()
        let servers = servers
        var uses: [Use.Key: Use] = [:]
        for round in 0..<stage.rounds {
            Console.note("detail, round \(round + 1)")
            for mode in Mode.all {
                // Alone, it depends on where the scheduler puts the two processes: more and shorter runs.
                let turns = mode.connections == 1 && mode.depth == 1 ? 5 : 1
                for turn in 0..<turns {
                    for index in servers.indices {
                        try measure(servers[(index + round + turn) % servers.count], mode, round, &uses)
                    }
                }
            }
        }
        report(uses)
        let serving = stage.daemon.anonymousBytes.map(Double.init)
        stage.bench.results.add(Results.claimsd, "anonymous, serving", stage.shape, .bytes, serving)
    }

    private func measure(_ server: Server, _ mode: Mode, _ round: Int, _ uses: inout [Use.Key: Use]) throws {
        guard server.modes.contains(mode) else { return }
        let load = Load(
            path: server.socket, connections: mode.connections, depth: mode.depth, duration: duration,
            first: round * 1009 % server.script.count)
        let before = Service.processorTime(server.pid)
        let outcome = try load.run(server.script)
        if let before, let after = Service.processorTime(server.pid) {
            var use = uses[Use.Key(server: server.name, mode: mode)] ?? Use()
            use.nanoseconds += after.user - before.user
            use.answers += outcome.answers
            uses[Use.Key(server: server.name, mode: mode)] = use
        }
        let what = "detail \(mode.name)"
        stage.bench.results.add(
            server.name, what, stage.shape, .perSecond, outcome.perSecond, latencies: outcome.latencies)
    }

    /// User time, which the kernel counts in steps too coarse for a single round.
    private struct Use {
        struct Key: Hashable {
            let server: String
            let mode: Mode
        }

        var nanoseconds = 0.0
        var answers = 0
    }

    private func report(_ uses: [Use.Key: Use]) {
        for mode in Mode.all {
            for server in servers {
                guard let use = uses[Use.Key(server: server.name, mode: mode)], use.answers > 0 else { continue }
                stage.bench.results.add(
                    server.name, "user time per answer, \(mode.name)", stage.shape, .nanoseconds,
                    use.nanoseconds / Double(use.answers))
            }
        }
    }

    /// Holds some answers against the records that they must be.
    private func check() throws {
        var random = Randomness(seed: 11)
        var text = RecordGenerator.Text()
        var script = RequestScript()
        let records = (0..<64).map { _ in random.below(stage.shape.records) }
        for record in records {
            script.append(
                "{\"id\":1,\"method\":\"detail\",\"params\":{\"collection\":\"\(Daemon.collection)\","
                    + "\"id\":\"\(RecordGenerator.id(record))\"}}\n")
        }
        for (index, record) in records.enumerated() {
            let answer = try Load.ask(stage.daemon.socket, script.request(index))
            let upstream = try JSONValue.parse(answer)["result"]?["upstream"]
            if upstream != (try JSONValue.parse(stage.generator.document(record, text: &text))) {
                stage.bench.results.isWrong("detail: \(String(decoding: answer.prefix(400), as: UTF8.self))")
                return
            }
        }
    }
}
