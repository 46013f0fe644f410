// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import Glibc

/// From the start on a warm cache to READY, and to the first answer; and what is in memory and on disk then.
struct StartPart {
    private let stage: Stage

    init(_ stage: Stage) {
        self.stage = stage
    }

    /// How long a daemon that was just busy is let alone before it counts as idle.
    private static let settling: UInt32 = 3

    func run() throws {
        let shape = stage.shape
        sleep(Self.settling)
        add("anonymous, idle after a refresh", stage.daemon.anonymousBytes)
        let question = Requests.details(shape).request(0)
        for round in 0..<(stage.rounds * 2) {
            stage.daemon.stop()
            let begin = ContinuousClock.now
            stage.bench.results.add(Results.claimsd, "start to READY", shape, try stage.daemon.start())
            let answer = try Load.ask(stage.daemon.socket, question)
            stage.bench.results.add(Results.claimsd, "start to first answer", shape, ContinuousClock.now - begin)
            if try JSONValue.parse(answer)["result"] == nil {
                stage.bench.results.isWrong("after a start: \(String(decoding: answer.prefix(300), as: UTF8.self))")
            }
            if let redis = stage.redis, round < stage.rounds {
                redis.stop()
                stage.bench.results.add(Redis.name, "start to first answer", shape, try redis.start())
            }
        }
        sleep(1)
        add("anonymous, idle", stage.daemon.anonymousBytes)
        if let redis = stage.redis {
            stage.bench.results.add(Redis.name, "anonymous, idle", shape, .bytes, redis.anonymousBytes.map(Double.init))
        }
        add("state database", stage.daemon.fileSizes.state)
        add("snapshot", stage.daemon.fileSizes.snapshots)
    }

    private func add(_ what: String, _ bytes: Int?) {
        stage.bench.results.add(Results.claimsd, what, stage.shape, .bytes, bytes.map(Double.init))
    }
}
