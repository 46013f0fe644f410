// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import Glibc

/// Measures a start on a warm cache, until READY and until the first answer; and idle memory and file sizes.
struct StartPart {
    private let stage: Stage

    init(_ stage: Stage) {
        self.stage = stage
    }

    /// The time after which a daemon that was busy counts as idle, in seconds.
    private static let settlingTime: UInt32 = 3

    func run() throws {
        let shape = stage.shape
        sleep(Self.settlingTime)
        add("anonymous, idle after a refresh", stage.daemon.anonymousBytes)
        let question = Requests.details(shape).request(0)
        for round in 0..<(stage.rounds * 2) {
            stage.daemon.stop()
            let begin = ContinuousClock.now
            stage.bench.results.add("start to READY", of: Results.claimsd, on: shape, try stage.daemon.start())
            let answer = try Load.ask(stage.daemon.socket, question)
            stage.bench.results.add(
                "start to first answer", of: Results.claimsd, on: shape, ContinuousClock.now - begin)
            if try JSONValue.parse(answer)["result"] == nil {
                stage.bench.results.addWrong("after a start: \(String(decoding: answer.prefix(300), as: UTF8.self))")
            }
            if let redis = stage.redis, round < stage.rounds {
                redis.stop()
                stage.bench.results.add("start to first answer", of: Redis.name, on: shape, try redis.start())
            }
        }
        sleep(1)
        add("anonymous, idle", stage.daemon.anonymousBytes)
        if let redis = stage.redis {
            stage.bench.results.add(
                "anonymous, idle", of: Redis.name, on: shape, redis.anonymousBytes.map(Double.init), unit: .bytes)
        }
        add("state database", stage.daemon.fileSizes.state)
        add("snapshot", stage.daemon.fileSizes.snapshots)
    }

    private func add(_ what: String, _ bytes: Int?) {
        stage.bench.results.add(what, of: Results.claimsd, on: stage.shape, bytes.map(Double.init), unit: .bytes)
    }
}
