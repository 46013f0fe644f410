// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsStore

@Suite struct StateQueueTests {
    private let local = StateQueue.LocalJob(apply: { _ in {} }, fail: { _ in })

    private func kind(_ work: StateQueue.Work?) -> String {
        switch work {
        case .local(let jobs): "local \(jobs.count)"
        case .background: "background"
        case .emptyLog: "empty the log"
        case .wake: "wake"
        case .close: "close"
        case nil: "nothing"
        }
    }

    @Test func `local changes come first, and together`() {
        var queue = StateQueue()
        _ = queue.add { _ in }
        for _ in 0..<70 { _ = queue.add(local) }
        #expect(kind(queue.next()) == "local 64")
        #expect(kind(queue.next()) == "local 6")
        #expect(kind(queue.next()) == "background")
        #expect(kind(queue.next()) == "nothing")
    }

    @Test func `large changes do not wait for one another's commit`() {
        var queue = StateQueue()
        for weight in [1, 5000, 4095, 1, 1] {
            _ = queue.add(StateQueue.LocalJob(weight: weight, apply: { _ in {} }, fail: { _ in }))
        }
        #expect([queue.next(), queue.next(), queue.next()].map(kind) == ["local 2", "local 2", "local 1"])
    }

    @Test func `a change that looks at what is served shares its commit with no other`() {
        var queue = StateQueue()
        let alone = StateQueue.LocalJob(isAlone: true, apply: { _ in {} }, fail: { _ in })
        for job in [alone, local, local, alone, alone, local] { _ = queue.add(job) }
        let order = (0..<6).map { _ in kind(queue.next()) }
        #expect(order == ["local 1", "local 2", "local 1", "local 1", "local 1", "nothing"])
    }

    @Test func `a stream of local changes does not starve refreshes`() {
        var queue = StateQueue()
        _ = queue.add { _ in }
        var order: [String] = []
        for _ in 0..<10 {
            _ = queue.add(local)
            order.append(kind(queue.next()))
        }
        #expect(order.firstIndex(of: "background") == StateQueue.localRounds)
    }

    @Test func `whoever looks whether the thread lives is answered after the work, and once`() {
        var queue = StateQueue()
        queue.wake()
        queue.wake()
        _ = queue.add { _ in }
        #expect(kind(queue.next()) == "background")
        #expect(kind(queue.next()) == "wake")
        #expect(kind(queue.next()) == "nothing")
    }

    @Test func `a long log holds refreshes back, not local changes`() {
        var queue = StateQueue()
        _ = queue.add { _ in }
        queue.isLogLong = true
        #expect(kind(queue.next()) == "nothing")
        _ = queue.add(local)
        #expect(kind(queue.next()) == "local 1")
        queue.isLogLong = false
        #expect(kind(queue.next()) == "background")
    }

    @Test func `a log that has been copied is emptied before anything else, once`() {
        var queue = StateQueue()
        _ = queue.add(local)
        queue.copiedLog = .whole
        #expect([queue.next(), queue.next(), queue.next()].map(kind) == ["empty the log", "local 1", "nothing"])
    }

    @Test func `a closing queue waits for no log`() {
        var queue = StateQueue()
        _ = queue.add { _ in }
        queue.close()
        queue.isLogLong = true
        #expect([queue.next(), queue.next()].map(kind) == ["background", "close"])
    }

    @Test func `closing takes nothing more, but finishes what waits`() {
        var queue = StateQueue()
        _ = queue.add { _ in }
        _ = queue.add(local)
        queue.close()
        let isTaken = (queue.add(local), queue.add { _ in })
        #expect(isTaken == (false, false))
        #expect(kind(queue.next()) == "local 1")
        #expect(kind(queue.next()) == "background")
        #expect(kind(queue.next()) == "close")
    }
}
