// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Synchronization
import Testing

@Suite struct EventLoopTests {
    @Test func `posted work is done in order on the loop's thread`() throws {
        let thread = try LoopThread()
        let seen = Mutex<[Int]>([])
        for number in 0..<1000 {
            thread.loop.post { [loop = thread.loop] in
                if loop.isCurrent { seen.withLock { $0.append(number) } }
            }
        }
        thread.perform { _ in }
        #expect(seen.withLock { $0 } == Array(0..<1000))
        #expect(!thread.loop.isCurrent)
    }

    @Test func `work posted by many threads is all done`() throws {
        let thread = try LoopThread()
        let count = Atomic<Int>(0)
        let pool = try WorkerPool(name: "poster", threads: 4)
        let done = Signal()
        for _ in 0..<4 {
            pool.post {
                for _ in 0..<5000 {
                    thread.loop.post {
                        if count.add(1, ordering: .relaxed).newValue == 20_000 { done.fire() }
                    }
                }
            }
        }
        done.wait()
        #expect(count.load(ordering: .relaxed) == 20_000)
    }

    @Test func `a ready descriptor is reported to its handler`() throws {
        let thread = try LoopThread()
        let pair = try UnixSocket.pair()
        let ours = pair.reading.raw
        let got = Mutex<[UInt8]>([])
        let done = Signal()
        thread.perform { loop in
            let handler = Probe { events, loop in
                var buffer = [UInt8](repeating: 0, count: 64)
                guard events.contains(.read),
                    case .bytes(let count) = try? UnixSocket.receive(ours, into: &buffer, at: 0)
                else { return }
                got.withLock { $0 += buffer[..<count] }
                done.fire()
            }
            try? loop.add(ours, .read, handler: handler)
        }
        #expect(try UnixSocket.send(pair.writing.raw, Array("hello".utf8)) == .bytes(5))
        done.wait()
        thread.perform { $0.remove(ours) }
        #expect(got.withLock { $0 } == Array("hello".utf8))
    }

    @Test func `a handler removed in the same turn is told nothing`() throws {
        let thread = try LoopThread()
        let first = try UnixSocket.pair()
        let second = try UnixSocket.pair()
        let (a, b) = (first.reading.raw, second.reading.raw)
        let calls = Atomic<Int>(0)
        // Both are ready when the loop looks; whoever is told first removes the other.
        thread.perform { loop in
            _ = try? UnixSocket.send(first.writing.raw, [1])
            _ = try? UnixSocket.send(second.writing.raw, [1])
            let remover = { (other: Int32) in
                Probe { _, loop in
                    calls.add(1, ordering: .relaxed)
                    loop.remove(a)
                    loop.remove(b)
                    _ = other
                }
            }
            try? loop.add(a, .read, handler: remover(b))
            try? loop.add(b, .read, handler: remover(a))
        }
        thread.perform { _ in }
        thread.perform { _ in }
        #expect(calls.load(ordering: .relaxed) == 1)
    }

    @Test func `a report for a removed descriptor does not reach its successor`() throws {
        let thread = try LoopThread()
        let first = try UnixSocket.pair()
        let second = try UnixSocket.pair()
        let (a, b) = (first.reading.raw, second.reading.raw)
        let successors = Atomic<Int>(0)
        thread.perform { loop in
            _ = try? UnixSocket.send(first.writing.raw, [1])
            _ = try? UnixSocket.send(second.writing.raw, [1])
            // The handler that is told first takes the other's place with a handler that waits for what will not come.
            let replacer = { (other: Int32) in
                Probe { _, loop in
                    loop.remove(a)
                    loop.remove(b)
                    try? loop.add(other, .peerClosed, handler: Probe { _, _ in successors.add(1, ordering: .relaxed) })
                }
            }
            try? loop.add(a, .read, handler: replacer(b))
            try? loop.add(b, .read, handler: replacer(a))
        }
        thread.perform { _ in }
        thread.perform { _ in }
        #expect(successors.load(ordering: .relaxed) == 0)
    }

    @Test func `a closed peer is reported as such`() throws {
        let thread = try LoopThread()
        var pair = try UnixSocket.pair()
        let ours = pair.reading.raw
        let seen = Mutex(EventMask())
        let done = Signal()
        thread.perform { loop in
            let handler = Probe { events, loop in
                seen.withLock { $0 = events }
                loop.remove(ours)
                done.fire()
            }
            try? loop.add(ours, [.read, .peerClosed], handler: handler)
        }
        pair.writing = try FileDescriptor.open("/dev/null", .read)
        done.wait()
        #expect(seen.withLock { $0 }.isSuperset(of: [.peerClosed, .hangUp]))
    }

    @Test func `writing readiness comes and goes with modify`() throws {
        let thread = try LoopThread()
        let pair = try UnixSocket.pair()
        let ours = pair.reading.raw
        let done = Signal()
        thread.perform { loop in
            let handler = Probe { events, loop in
                guard events.contains(.write) else { return }
                try? loop.modify(ours, .read)
                done.fire()
            }
            try? loop.add(ours, .read, handler: handler)
            try? loop.modify(ours, [.read, .write])
        }
        done.wait()
        thread.perform { $0.remove(ours) }
    }

    @Test func `timers fire in the order of their times, cancelled ones never`() throws {
        let thread = try LoopThread()
        let fired = Mutex<[Int]>([])
        let done = Signal()
        thread.perform { loop in
            loop.schedule(after: .milliseconds(20)) {
                fired.withLock { $0.append(20) }
                done.fire()
            }
            let dropped = loop.schedule(after: .milliseconds(10)) { fired.withLock { $0.append(10) } }
            loop.schedule(after: .milliseconds(1)) {
                fired.withLock { $0.append(1) }
                loop.cancel(dropped)
            }
            loop.schedule(after: .zero) { fired.withLock { $0.append(0) } }
        }
        done.wait()
        #expect(fired.withLock { $0 } == [0, 1, 20])
    }

    @Test func `wake moves the turn counter of an idle loop`() throws {
        let thread = try LoopThread()
        let before = thread.loop.ticks
        thread.perform { _ in }
        thread.perform { _ in }
        #expect(thread.loop.ticks > before)
        #expect(thread.loop.busyNanoseconds > 0)
    }

    @Test func `a loop lets go of its handlers when it ends`() throws {
        weak var handler: Probe?
        let pair = try UnixSocket.pair()
        do {
            let loop = try EventLoop(name: "short")
            let probe = Probe { _, _ in }
            handler = probe
            try loop.add(pair.reading.raw, .read, handler: probe)
            loop.stop()
            loop.run()
        }
        #expect(handler == nil)
    }

    @Test func `a descriptor that cannot be watched is an error`() throws {
        let loop = try EventLoop(name: "none")
        let file = try FileDescriptor.open("/etc/passwd", .read)
        let raw = file.raw
        #expect(throws: SystemError.self) { try loop.add(raw, .read, handler: Probe { _, _ in }) }
    }

    @Test func `work that comes too late to be run is dropped with all that it holds`() throws {
        let loop = try EventLoop(name: "ending")
        loop.stop()
        let early = post(to: loop)
        loop.run()
        #expect(early() == nil)
        let late = post(to: loop)
        #expect(late() == nil)
    }

    /// Posts work that holds an object and the loop, and returns a look at the object.
    private func post(to loop: EventLoop) -> () -> Signal? {
        let held = Signal()
        loop.post {
            held.fire()
            loop.stop()
        }
        return { [weak held] in held }
    }
}
