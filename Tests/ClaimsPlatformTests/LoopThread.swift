// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Synchronization

/// An event loop on a thread of its own, stopped and joined with this object.
final class LoopThread: Sendable {
    let loop: EventLoop
    private let thread: NamedThread

    init() throws {
        let loop = try EventLoop(name: "test loop")
        self.loop = loop
        thread = try NamedThread("test loop") { loop.run() }
    }

    deinit {
        loop.stop()
    }

    /// Does `body` on the loop and returns when it is done.
    func perform(_ body: @escaping @Sendable (EventLoop) -> Void) {
        let done = Signal()
        loop.post { [loop] in
            body(loop)
            done.fire()
        }
        done.wait()
    }
}

/// Something that happens once; waiting for it is no sleep.
final class Signal: Sendable {
    private let queue = JobQueue()

    func fire() { queue.append {} }
    func wait() { _ = queue.next() }
}

/// Calls a closure for each report.
final class Probe: EventHandler {
    private let body: (EventMask, EventLoop) -> Void

    init(_ body: @escaping (EventMask, EventLoop) -> Void) {
        self.body = body
    }

    func ready(_ events: EventMask, on loop: EventLoop) { body(events, loop) }
}
