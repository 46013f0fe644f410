// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport

/// Clients that ask without pause, each on a thread of its own, until they are stopped.
final class RequestLoad: Sendable {
    enum Kind {
        /// A connection for each request. Each request must be answered.
        case connecting
        /// One connection for all requests. Where it ends before an answer, the client asks once more on a new one, as
        /// claimsctl does; that request must be answered.
        case staying
    }

    private struct Tally {
        var answers: [Int]
        var failures: [String] = []
        var isOver = false
    }

    private let tally: Monitor<Tally>
    private let pool: WorkerPool

    private static let request = #"{"id":1,"method":"search","params":{"collection":"packs"}}"#

    /// Begins to ask at the socket at `path`.
    init(_ kinds: [Kind], at path: String) throws {
        let tally = Monitor(Tally(answers: kinds.map { _ in 0 }))
        self.tally = tally
        pool = try WorkerPool(name: "load", threads: kinds.count)
        for (client, kind) in kinds.enumerated() {
            pool.post {
                do { try Self.ask(kind, path, client, tally) } catch {
                    tally.update { $0.failures.append("\(kind): \(error)") }
                }
            }
        }
    }

    deinit { _ = stop() }

    private static func ask(_ kind: Kind, _ path: String, _ client: Int, _ tally: Monitor<Tally>) throws {
        var connection: LineClient?
        while !tally.read({ $0.isOver }) {
            let isOld = connection != nil
            let current = try connection ?? LineClient(path)
            connection = kind == .staying ? current : nil
            var line = (try? current.send(request)) == nil ? nil : try current.receive()
            if line == nil, isOld {
                let next = try LineClient(path)
                connection = next
                try next.send(request)
                line = try next.receive()
            }
            guard let line else { throw TestFailure("a request was lost") }
            guard line.contains(#""result""#) else { throw TestFailure(line) }
            tally.update { $0.answers[client] += 1 }
        }
    }

    /// Returns when each client has got so many more answers; throws where one has failed.
    func awaitAnswers(_ count: Int = 20) throws {
        let before = tally.read { $0.answers }
        let isDone = tally.wait(upTo: LineClient.timeout) { tally in
            if !tally.failures.isEmpty { return true }
            return zip(tally.answers, before).allSatisfy { $0 >= $1 + count } ? true : nil
        }
        let failures = tally.read { $0.failures }
        guard isDone != nil, failures.isEmpty else { throw TestFailure("no answers: \(failures)") }
    }

    /// Ends all clients, and returns what went wrong.
    func stop() -> [String] {
        tally.update { $0.isOver = true }
        pool.stop()
        return tally.read { $0.failures }
    }
}
