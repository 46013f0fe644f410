// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Measures client programs from exec to exit, for one record.
struct ClientPart {
    private let stage: Stage

    init(_ stage: Stage) {
        self.stage = stage
    }

    private struct Client {
        let server: String
        let program: String
        let arguments: [String]
        var environment: [String] = []
    }

    private var clients: [Client] {
        let id = "\(RecordGenerator.id(stage.shape.records / 2))"
        var clients: [Client] = []
        if let claimsctl = stage.bench.claimsctl {
            clients.append(
                Client(
                    server: Results.claimsd, program: claimsctl,
                    arguments: ["detail", "--item", id, "-o", "json"],
                    environment: ["CLAIMSD_SOCKET=\(stage.daemon.socket)"]))
        }
        if let redis = stage.redis, let program = InstalledProgram.path("redis-cli") {
            clients.append(Client(server: Redis.name, program: program, arguments: ["-s", redis.socket, "GET", id]))
        }
        if let sqlite = stage.sqlite, let program = InstalledProgram.path("sqlite3") {
            let query = "SELECT document FROM items WHERE row = \(id)"
            clients.append(
                Client(server: SQLitePeer.name, program: program, arguments: ["-readonly", sqlite.path, query]))
        }
        return clients
    }

    func run() throws {
        let clients = clients
        let output = Paths.join(stage.home, "client")
        let marker = "\(RecordGenerator.id(stage.shape.records / 2))"
        for client in clients {
            let run = try InstalledProgram.run(
                client.program, client.arguments, environment: client.environment, capture: output)
            if run.status != .exited(0) || !String(decoding: run.output, as: UTF8.self).contains(marker) {
                stage.bench.results.addWrong(
                    "\(client.program): \(run.status): \(String(decoding: run.output.prefix(300), as: UTF8.self))")
                return
            }
        }
        BenchConsole.note("client programs")
        for _ in 0..<(stage.rounds * 20) {
            for client in clients {
                let run = try InstalledProgram.run(client.program, client.arguments, environment: client.environment)
                stage.bench.results.add("client, exec to exit", of: client.server, on: stage.shape, run.duration)
            }
        }
    }
}
