// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CBench
import Glibc

/// One run of the load client against one server.
struct Load {
    let path: String
    var connections = 1
    /// Requests in flight on each connection.
    var depth = 1
    var duration: Duration = .milliseconds(200)
    /// The number of answers after which the run ends early; 0 for no bound.
    var limit = 0
    /// The index of the first request.
    var first = 0

    /// The run fails if no answer comes for this time.
    static let timeout: Duration = .seconds(60)

    struct Outcome {
        var answers = 0
        var bytes = 0
        var seconds = 0.0
        var clientSeconds = 0.0
        var latencies = Histogram()

        var perSecond: Double { seconds > 0 ? Double(answers) / seconds : 0 }
    }

    func run(_ script: RequestScript) throws(BenchError) -> Outcome {
        var outcome = Outcome()
        var status: Int32 = 0
        var histogram = Histogram()
        unsafe histogram.withBuckets { buckets in
            unsafe path.withCString { path in
                unsafe script.bytes.withUnsafeBufferPointer { requests in
                    unsafe script.ends.withUnsafeBufferPointer { ends in
                        guard let requests = requests.baseAddress, let ends = ends.baseAddress else { return }
                        var load = unsafe bench_load(
                            path: path, connections: Int32(connections), depth: Int32(depth), requests: requests,
                            ends: ends, count: UInt32(script.count), first: UInt32(first),
                            newlines: Int32(script.newlines), duration: Self.nanoseconds(duration),
                            limit: UInt64(limit), timeout: Self.nanoseconds(Self.timeout), answers: 0, bytes: 0,
                            elapsed: 0, client_cpu: 0, buckets: buckets)
                        status = unsafe bench_load_run(&load)
                        outcome.answers = unsafe Int(load.answers)
                        outcome.bytes = unsafe Int(load.bytes)
                        outcome.seconds = unsafe Double(load.elapsed) / 1e9
                        outcome.clientSeconds = unsafe Double(load.client_cpu) / 1e9
                    }
                }
            }
        }
        guard status == 0 else { throw BenchError("the load on \(path): \(Self.text(status))") }
        outcome.latencies = histogram
        return outcome
    }

    /// One request and its answer.
    static func ask(
        _ path: String, _ request: [UInt8], newlines: Int = 1, timeout: Duration = Load.timeout
    ) throws(BenchError) -> [UInt8] {
        var answer = [UInt8](repeating: 0, count: maxAnswer)
        let count = try ask(path, request, into: &answer, newlines: newlines, timeout: timeout)
        answer.removeLast(answer.count - count)
        return answer
    }

    /// Sends one request, and receives its answer into memory that is there already.
    ///
    /// - Returns: the number of bytes of the answer.
    static func ask(
        _ path: String, _ request: [UInt8], into answer: inout [UInt8], newlines: Int = 1,
        timeout: Duration = Load.timeout
    ) throws(BenchError) -> Int {
        let count = unsafe answer.withUnsafeMutableBytes { room in
            unsafe request.withUnsafeBytes { request in
                guard let to = room.baseAddress, let from = request.baseAddress else { return -1 }
                return unsafe bench_ask(
                    path, from, request.count, Int32(newlines), to, room.count, nanoseconds(timeout))
            }
        }
        guard count >= 0 else { throw BenchError("asking \(path): \(text(errno))") }
        return count
    }

    /// The size that an answer may have, in bytes.
    static let maxAnswer = 1 << 22

    static func nanoseconds(_ duration: Duration) -> UInt64 {
        UInt64(duration.components.seconds) * 1_000_000_000 + UInt64(duration.components.attoseconds / 1_000_000_000)
    }

    private static func text(_ error: Int32) -> String {
        error == ETIME ? "no answer" : unsafe String(cString: strerror(error))
    }
}

/// The number of connections of a run, and of requests in flight on each.
struct LoadMode: Hashable {
    let connections: Int
    let depth: Int

    var name: String { "\(connections)×\(depth)" }

    static let all = [1, 16, 64].flatMap { connections in
        [1, 16, 64].map { LoadMode(connections: connections, depth: $0) }
    }
}
