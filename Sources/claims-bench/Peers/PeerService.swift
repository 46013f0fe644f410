// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parts that all peers share.
enum PeerService {
    /// The maximum time of a start.
    static let maxStart: Duration = .seconds(120)
    /// The time after which a peer that does not answer yet is asked again.
    static let pause: Duration = .milliseconds(1)
    /// The maximum time of loading a collection.
    static let maxLoad: Duration = .seconds(600)

    /// Asks until the server's answer contains `answer`; returns the time that took.
    @discardableResult
    static func wait(for socket: String, _ service: BackgroundProcess, question: String, answer: String) throws
        -> Duration
    {
        let start = ContinuousClock.now
        while ContinuousClock.now - start < maxStart {
            let bytes = try? Load.ask(socket, Array(question.utf8), timeout: .seconds(5))
            if let bytes, String(decoding: bytes, as: UTF8.self).contains(answer) { return ContinuousClock.now - start }
            // No peer announces that it is ready, so it is asked again; its end is awaited meanwhile.
            if service.hasEnded(within: pause) { throw BenchError("\(service.name) ended") }
        }
        throw BenchError("\(service.name) does not answer")
    }
}
