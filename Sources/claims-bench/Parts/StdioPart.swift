// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CBench
import ClaimsPlatform
import Glibc

/// Measures what `claimsctl stdio` adds to a question, beside a bare copier in C: both between two pipes and the socket,
/// as sshd runs them.
struct StdioPart {
    private let stage: Stage

    init(_ stage: Stage) {
        self.stage = stage
    }

    /// The name of the bare copier.
    static let copier = "copier"
    /// The name of a connection without anything between.
    static let socket = "socket"
    /// The questions, in the order in which they are asked.
    static let questions = ["detail", "page of 1,000"]

    /// The name of the series about a question.
    static func series(_ question: String) -> String { "round trip: \(question)" }

    private static let timeout: Int32 = 10_000

    func run() throws {
        guard let claimsctl = stage.bench.claimsctl, let own = Files.executable else { return }
        BenchConsole.note("claimsctl stdio")
        let collection = CollectionShape.collection
        let page = #"{"id":1,"method":"search","params":{"collection":"\#(collection)","limit":1000}}"# + "\n"
        let asked = [(Requests.details(stage.shape).request(0), 4000), (Array(page.utf8), 200)]
        let socket = stage.daemon.socket
        let direct = FileDescriptor(owning: unsafe bench_connect(socket))
        guard direct.raw >= 0 else { throw BenchError("cannot connect to \(socket)") }
        let copier = try PipedProgram(own, ["--copy", socket])
        let stdio = try PipedProgram(claimsctl, ["stdio", "--socket", socket])
        for _ in 0..<(stage.rounds * 2) {
            for (question, (request, count)) in zip(Self.questions, asked) {
                let series = Self.series(question)
                add(series, of: Self.socket, try time(request, count, from: direct.raw, to: direct.raw))
                add(series, of: Self.copier, try time(request, count, from: copier.output, to: copier.input))
                add(series, of: Results.claimsd, try time(request, count, from: stdio.output, to: stdio.input))
            }
        }
    }

    private func add(_ series: String, of way: String, _ nanoseconds: UInt64) {
        stage.bench.results.add(series, of: way, on: stage.shape, Double(nanoseconds), unit: .nanoseconds)
    }

    /// The median time of a question and its answer, in nanoseconds.
    private func time(
        _ request: [UInt8], _ count: Int, from input: Int32, to output: Int32
    ) throws(BenchError) -> UInt64 {
        var times = [UInt64](repeating: 0, count: count)
        let error = unsafe request.withUnsafeBytes { bytes in
            unsafe times.withUnsafeMutableBufferPointer { times in
                guard let from = bytes.baseAddress, let to = times.baseAddress else { return EINVAL }
                return unsafe bench_round_trips(output, input, from, bytes.count, to, times.count, Self.timeout)
            }
        }
        guard error == 0 else { throw BenchError("a round trip: \(unsafe String(cString: strerror(error)))") }
        times.sort()
        return times[count / 2]
    }
}

/// A program between two pipes; it ends with this object.
private final class PipedProgram {
    private let process: ChildProcess
    private let toProgram: FileDescriptor
    private let fromProgram: FileDescriptor

    init(_ program: String, _ arguments: [String]) throws {
        let requests = try FileDescriptor.pipe()
        let answers = try FileDescriptor.pipe()
        process = try ChildProcess(
            program, arguments, environment: BackgroundProcess.environment, input: requests.reading.raw,
            output: answers.writing.raw)
        toProgram = requests.keepWriting()
        fromProgram = answers.keepReading()
    }

    var input: Int32 { toProgram.raw }
    var output: Int32 { fromProgram.raw }
}
