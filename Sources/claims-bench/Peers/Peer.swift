// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What is the same for every server that we start.
enum Peer {
    /// The longest that a start may take.
    static let startLimit: Duration = .seconds(120)
    /// The longest that loading a collection may take.
    static let loadLimit: Duration = .seconds(600)

    /// Returns when the server answers a question with what begins (or ends) as it should; how long that took.
    @discardableResult
    static func wait(for socket: String, _ service: Service, question: String, answer: String) throws -> Duration {
        let start = ContinuousClock.now
        while ContinuousClock.now - start < startLimit {
            let bytes = try? Load.ask(socket, Array(question.utf8), patience: .seconds(5))
            if let bytes, String(decoding: bytes, as: UTF8.self).contains(answer) { return ContinuousClock.now - start }
            guard service.isRunning else { throw BenchError("\(service.name) ended") }
            usleep(500)
        }
        throw BenchError("\(service.name) does not answer")
    }
}
