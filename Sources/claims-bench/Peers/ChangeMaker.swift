// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Archives records and brings them back, 200 of them a second, on a thread of its own.
final class ChangeMaker {
    private let isStopped = Monitor(false)
    private var thread: NamedThread?

    private static let perRequest = 10
    private static let pause: Duration = .milliseconds(50)

    /// - Parameter socket: the daemon's socket.
    init(_ shape: CollectionShape, socket: String) throws {
        let isStopped = isStopped
        thread = try NamedThread("changes") {
            var first = 0
            var round = 0
            while isStopped.wait(upTo: Self.pause, { $0 ? true : nil }) == nil {
                // Everything that one round archives, the next one brings back.
                let ids = (0..<Self.perRequest).map { number in
                    "\"\(RecordGenerator.id((first + number) * 97 % shape.records))\""
                }
                let method = round.isMultiple(of: 2) ? "archive" : "unarchive"
                let parameters =
                    #"{"collection":"\#(CollectionShape.collection)","ids":[\#(ids.joined(separator: ","))]}"#
                let line = #"{"id":1,"method":"\#(method)","params":\#(parameters)}"# + "\n"
                do { _ = try Load.ask(socket, Array(line.utf8)) } catch { return BenchConsole.note("\(error)") }
                first += Self.perRequest
                if first >= min(shape.records / 10, 1000) { (first, round) = (0, round + 1) }
            }
        }
    }

    func stop() {
        isStopped.update { $0 = true }
        thread.take()?.join()
    }
}
