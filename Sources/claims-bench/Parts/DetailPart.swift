// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Measures `detail`: one record by its id, in every mode.
struct DetailPart {
    private let stage: Stage
    /// The duration of a run: short, so that the servers alternate often.
    private let duration: Duration

    init(_ stage: Stage) {
        self.stage = stage
        duration = stage.options.isQuick ? .milliseconds(100) : .milliseconds(200)
    }

    private struct Server {
        let name: String
        let socket: String
        let pid: Int32
        let script: RequestScript
        let modes: [LoadMode]
    }

    private var servers: [Server] {
        let details = Requests.details(stage.shape)
        var servers = [
            Server(
                name: Results.claimsd, socket: stage.daemon.socket, pid: stage.daemon.pid, script: details,
                modes: LoadMode.all),
            Server(
                name: EchoServer.name, socket: stage.echo.socket, pid: stage.echo.pid, script: details,
                modes: LoadMode.all),
        ]
        if let redis = stage.redis {
            let gets = Requests.gets(stage.shape)
            servers.append(
                Server(name: Redis.name, socket: redis.socket, pid: redis.pid, script: gets, modes: LoadMode.all))
        }
        if let watchman = stage.watchman {
            let modes = [LoadMode(connections: 1, depth: 1), LoadMode(connections: 16, depth: 1)]
            servers.append(
                Server(
                    name: Watchman.name, socket: watchman.socket, pid: watchman.pid, script: Requests.versions(),
                    modes: modes))
        }
        return servers
    }

    func run() throws {
        try check()
        let servers = servers
        var uses: [Use.Key: Use] = [:]
        for round in 0..<stage.rounds {
            BenchConsole.note("detail, round \(round + 1)")
            for mode in LoadMode.all {
                // With one request at a time, the scheduler decides where the two processes run: more runs average
                // this.
                let repeats = mode.connections == 1 && mode.depth == 1 ? 5 : 1
                for repetition in 0..<repeats {
                    for index in servers.indices {
                        let server = servers[(index + round + repetition) % servers.count]
                        try measure(server, mode, round: round, uses: &uses)
                    }
                }
            }
        }
        report(uses)
        let serving = stage.daemon.anonymousBytes.map(Double.init)
        stage.bench.results.add("anonymous, serving", of: Results.claimsd, on: stage.shape, serving, unit: .bytes)
    }

    private func measure(_ server: Server, _ mode: LoadMode, round: Int, uses: inout [Use.Key: Use]) throws {
        guard server.modes.contains(mode) else { return }
        let load = Load(
            path: server.socket, connections: mode.connections, depth: mode.depth, duration: duration,
            first: round * 1009 % server.script.count)
        let before = BackgroundProcess.processorTime(server.pid)
        let outcome = try load.run(server.script)
        if let before, let after = BackgroundProcess.processorTime(server.pid) {
            var use = uses[Use.Key(server: server.name, mode: mode)] ?? Use()
            use.nanoseconds += after.user - before.user
            use.answers += outcome.answers
            uses[Use.Key(server: server.name, mode: mode)] = use
        }
        let what = "detail \(mode.name)"
        stage.bench.results.add(
            what, of: server.name, on: stage.shape, outcome.perSecond, unit: .perSecond, latencies: outcome.latencies)
    }

    /// User time over all rounds; the kernel's steps of 10 ms are too coarse for a single one.
    private struct Use {
        struct Key: Hashable {
            let server: String
            let mode: LoadMode
        }

        var nanoseconds = 0.0
        var answers = 0
    }

    private func report(_ uses: [Use.Key: Use]) {
        for mode in LoadMode.all {
            for server in servers {
                guard let use = uses[Use.Key(server: server.name, mode: mode)], use.answers > 0 else { continue }
                stage.bench.results.add(
                    "user time per answer, \(mode.name)", of: server.name, on: stage.shape,
                    use.nanoseconds / Double(use.answers), unit: .nanoseconds)
            }
        }
    }

    /// Compares some answers with the generated records.
    private func check() throws {
        var random = Randomness(seed: 11)
        var text = RecordGenerator.Text()
        var script = RequestScript()
        let records = (0..<64).map { _ in random.below(stage.shape.records) }
        for record in records {
            script.append(
                "{\"id\":1,\"method\":\"detail\",\"params\":{\"collection\":\"\(CollectionShape.collection)\","
                    + "\"id\":\"\(RecordGenerator.id(record))\"}}\n")
        }
        for (index, record) in records.enumerated() {
            let answer = try Load.ask(stage.daemon.socket, script.request(index))
            let upstream = try JSONValue.parse(answer)["result"]?["upstream"]
            if upstream != (try JSONValue.parse(stage.generator.document(record, text: &text))) {
                stage.bench.results.addWrong("detail: \(String(decoding: answer.prefix(400), as: UTF8.self))")
                return
            }
        }
    }
}
