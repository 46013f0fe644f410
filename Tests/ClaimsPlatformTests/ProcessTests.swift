// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc
import Synchronization
import Testing

@Suite struct ProcessTests {
    @Test func `a thread is joined with its owner`() throws {
        let value = Atomic<Int>(0)
        do {
            let thread = try NamedThread("a name that is far too long") { value.store(1, ordering: .relaxed) }
            thread.join()
        }
        #expect(value.load(ordering: .relaxed) == 1)
    }

    @Test func `threads that nobody waits for come last`() throws {
        let values = Mutex<[Int32]>([])
        for urgency in [NamedThread.Urgency.prompt, .normal, .background] {
            let thread = try NamedThread("urgency", urgency: urgency) {
                values.withLock { $0.append(getpriority(Int32(PRIO_PROCESS.rawValue), 0)) }
            }
            thread.join()
        }
        let own = getpriority(Int32(PRIO_PROCESS.rawValue), 0)
        #expect(values.withLock { $0 } == [own, own, min(19, own + 3)])
    }

    @Test func `a pool does all that was posted, and nothing after it is stopped`() throws {
        let pool = try WorkerPool(name: "pool", threads: 3)
        let count = Atomic<Int>(0)
        let done = Signal()
        for _ in 0..<5000 {
            pool.post { if count.add(1, ordering: .relaxed).newValue == 5000 { done.fire() } }
        }
        done.wait()
        pool.stop()
        pool.post { count.add(1, ordering: .relaxed) }
        #expect(pool.waiting == 0)
        #expect(count.load(ordering: .relaxed) == 5000)
    }

    @Test func `a job queue keeps its order and ends those who wait`() throws {
        let queue = JobQueue()
        let seen = Mutex<[Int]>([])
        for number in 0..<3000 { queue.append { seen.withLock { $0.append(number) } } }
        for _ in 0..<3000 { queue.next()?() }
        #expect(seen.withLock { $0 } == Array(0..<3000))
        let ended = Signal()
        let thread = try NamedThread("waiter") {
            if queue.next() == nil { ended.fire() }
        }
        queue.close()
        ended.wait()
        thread.join()
    }

    @Test func `random bytes differ`() {
        #expect(RandomBytes.make(16) != RandomBytes.make(16))
        #expect(RandomBytes.hexadecimal(8).utf8.count == 16)
        #expect(RandomBytes.make(0) == [])
    }

    @Test func `memory and limits are told`() throws {
        let anonymous = try #require(ProcessMemory.anonymousBytes())
        let resident = try #require(ProcessMemory.residentBytes())
        #expect(anonymous > 100_000 && resident > anonymous)
        ProcessMemory.trim()
        #expect(try ResourceLimits.raiseOpenFiles() >= 256)
    }

    @Test func `clocks run`() {
        let start = SystemClock.monotonic
        #expect(SystemClock.monotonic >= start)
        #expect(SystemClock.sinceBoot >= start)
        #expect(SystemClock.wall > 1_700_000_000_000)
        #expect(WallClock { 5 }.now() == 5)
    }

    @Test func `durations become whole numbers, the longest that fit`() {
        #expect(Duration.milliseconds(1500).wholeNanoseconds == 1_500_000_000)
        #expect(Duration.seconds(-1).wholeNanoseconds == 0)
        #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
        #expect(Duration.microseconds(1999).wholeMilliseconds == 1)
        #expect(Duration.seconds(Int64.max).wholeMilliseconds == .max)
        #expect(Duration.seconds(Int64.min).wholeMilliseconds == .min)
    }

    @Test func `a blocked signal is read`() throws {
        // On a thread of its own: the signal is blocked there, and sent to that thread only.
        let got = Atomic<Int32>(0)
        let thread = try NamedThread("signals") {
            guard let reader = try? SignalReader([SIGUSR2]) else { return }
            guard reader.next() == nil else { return }
            pthread_kill(pthread_self(), SIGUSR2)
            got.store(reader.next() ?? -1, ordering: .relaxed)
        }
        thread.join()
        #expect(got.load(ordering: .relaxed) == SIGUSR2)
    }
}
