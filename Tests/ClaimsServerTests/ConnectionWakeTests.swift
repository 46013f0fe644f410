// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsServer

/// No line that came whole and no stream in flight waits without an event that wakes the connection.
@Suite struct ConnectionWakeTests {
    /// A connection and its world: a socket that takes some bytes or all, and a reader that may take them between two
    /// sends; memory that others use up and give back; workers that answer later.
    private final class World {
        private var state: ConnectionState
        private var random: SeededGenerator
        private let limits: ServingLimits
        private var pressure = MemoryPressure()
        private var isRegistered = false
        private var isQueued = false
        private var watched: EventMask = .read
        private var written: [UInt8] = []
        /// The number of bytes that the socket takes now.
        private var room = 0
        private var isGenerous = false
        /// The lines that the daemon has not received.
        private var kernel: [String] = []
        private var queries: [UInt64] = []
        /// The number of parts that each stream still makes.
        private var streams: [UInt64: Int] = [:]
        private(set) var sent: [String] = []
        private(set) var begun: [String] = []

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            var limits = ServingLimits()
            limits.inFlight = 1 + Int(seed % 4)
            limits.unsent = 300_000
            self.limits = limits
            state = ConnectionState(limits: limits)
        }

        var isDone: Bool { begun == sent && streams.isEmpty && queries.isEmpty && state.output.count == 0 }

        /// Does something at random.
        func step(_ number: Int) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1:
                for part in 0..<Int.random(in: 1...4, using: &random) {
                    let line = "\(number).\(part)" + random.pick(["", "", "?", "*"])
                    sent.append(line)
                    kernel.append(line)
                }
                receive()
            case 2, 3: take(Int.random(in: 0..<400_000, using: &random))
            case 4: answer()
            case 5: serveQueue()
            case 6: usePressure()
            default: relieve()
            }
        }

        /// Lets all that is armed happen, until nothing is.
        func settle() {
            isGenerous = true
            relieve()
            for _ in 0..<10_000 where !isDone {
                receive()
                take(1 << 30)
                answer()
                serveQueue()
            }
        }

        // MARK: - Events, of which each comes only where it is armed

        private func receive() {
            guard watched.contains(.read), !kernel.isEmpty, !isQueued else { return }
            _ = state.handle(.read)
            if state.canStart(pressure) {
                for line in kernel { state.input.append(Array((line + "\n").utf8)[...]) }
                kernel = []
            }
            slice()
        }

        private func take(_ bytes: Int) {
            room = bytes
            guard watched.contains(.write), bytes > 0 else { return }
            _ = state.handle(.write)
            send()
            if !isQueued { slice() }
        }

        private func answer() {
            guard !queries.isEmpty, state.complete(queries.removeFirst()) != nil else { return }
            written += [0x7B, 0x7D]
            send()
            if !isQueued { slice() }
        }

        private func serveQueue() {
            guard isQueued else { return }
            isQueued = false
            slice()
        }

        private func usePressure() { pressure.isUnsentExhausted = true }

        private func relieve() {
            pressure.isUnsentExhausted = false
            guard isRegistered else { return }
            isRegistered = false
            if !isQueued { slice() }
        }

        // MARK: - A time slice

        private func slice() {
            for _ in 0..<100_000 {
                switch state.next(written: written.count, pressure) {
                case .run(let range):
                    run(String(decoding: state.input.bytes[range], as: UTF8.self))
                    cutShort()
                case .continueStream(let token, _):
                    continueStream(token)
                    cutShort()
                case .send: send()
                case .watch(let events):
                    watched = events
                    return rest()
                case .rest: return rest()
                case let action:
                    Issue.record("\(action)")
                    return
                }
            }
            Issue.record("the slice does not end")
        }

        private func run(_ line: String) {
            begun.append(line)
            switch line.last {
            case "?": queries.append(state.begin(Array(line.utf8), .query(Cancellation())))
            case "*":
                let token = state.begin(Array(line.utf8), .stream(Cancellation()))
                streams[token] = Int.random(in: 0..<6, using: &random)
            default: written += [0x7B, 0x7D]
            }
        }

        private func continueStream(_ token: UInt64) {
            let left = streams[token] ?? 0
            streams[token] = left == 0 ? nil : left - 1
            if left == 0 { _ = state.complete(token) }
            let size = left == 0 ? 10 : Int.random(in: 1..<250_000, using: &random)
            written += [UInt8](repeating: 0x20, count: size)
            send()
        }

        private func cutShort() {
            guard state.input.mayHoldLine || state.hasStream, random.oneIn(8) else { return }
            isQueued = true
            state.endSlice()
        }

        private func send() {
            if isGenerous || random.oneIn(3) { room += Int.random(in: 0..<600_000, using: &random) }
            let waiting = state.output.count
            state.output.append(written, from: 0)
            written = []
            state.output.drain { bytes, start in
                let count = min(room, bytes.count - start)
                room -= count
                return count
            }
            state.recordSent(waitingBefore: waiting)
        }

        private func rest() {
            if state.awaitsRelief { isRegistered = true }
            let isArmed = isQueued || state.output.count > 0 && watched.contains(.write)
            #expect(streams.isEmpty || isArmed, "a stream waits for nothing")
            let left = state.output.count
            #expect(left == 0 || isArmed, "an answer waits for nothing")
            let isFull = queries.count + streams.count >= limits.inFlight
            let wakes = isArmed || isRegistered && pressure.isUnsentExhausted || isFull && !queries.isEmpty
            let hasLine = state.input.hasLine
            #expect(!hasLine || wakes, "a line waits for nothing")
            #expect(watched.contains(.read) || wakes, "what comes is not read")
        }
    }

    @Test(arguments: UInt64(0)..<60)
    func `whatever the socket takes and others use, no line and no stream waits without a wake-up`(seed: UInt64) {
        let world = World(seed: seed)
        for step in 0..<60 { world.step(step) }
        world.settle()
        #expect(world.isDone, "\(world.begun.count) of \(world.sent.count) lines were begun")
    }

    @Test func `a stream goes on where the kernel takes the last send whole`() {
        var state = ConnectionState(limits: ServingLimits())
        let token = state.begin([0x31], .stream(Cancellation()))
        let id: [UInt8] = [0x31]
        let first = state.next(written: 0, MemoryPressure())
        #expect(first == .continueStream(token: token, id: id))
        // The part is more than the socket takes at first.
        state.output.append([UInt8](repeating: 0x20, count: BufferBudget.sendThreshold), from: 0)
        let second = state.next(written: 0, MemoryPressure())
        #expect(second == .send)
        state.output.drain { bytes, start in bytes.count - start }
        let third = state.next(written: 0, MemoryPressure())
        #expect(third == .continueStream(token: token, id: id))
    }

    @Test func `lines go on where others fill the budget and the peer takes all`() {
        var state = ConnectionState(limits: ServingLimits())
        let pressure = MemoryPressure(isUnsentExhausted: true)
        state.input.append(Array("a\nb\n".utf8)[...])
        let first = state.next(written: 0, pressure)
        #expect(first == .run(0..<1))
        let second = state.next(written: 2, pressure)
        #expect(second == .send)
        // The socket takes nothing, and all a moment later.
        state.output.append([0x7B, 0x7D], from: 0)
        let third = state.next(written: 0, pressure)
        #expect(third == .send)
        state.output.drain { bytes, start in bytes.count - start }
        let fourth = state.next(written: 0, pressure)
        #expect(fourth == .run(2..<3))
    }

    @Test func `a stream is given up where it makes nothing for too long, though the peer takes all`() {
        var state = ConnectionState(limits: ServingLimits())
        let none = state.streamStall(at: 50, limit: 10)
        #expect(none == .unneeded)
        let token = state.begin([0x31], .stream(Cancellation()))
        state.recordStreaming(at: 100)
        let early = state.streamStall(at: 104, limit: 10)
        let late = state.streamStall(at: 110, limit: 10)
        #expect(early == .left(6) && late == .exhausted(token: token))
        state.output.append([0x20], from: 0)
        let slow = state.streamStall(at: 500, limit: 10)
        #expect(slow == .left(10), "the peer takes its time")
    }
}
