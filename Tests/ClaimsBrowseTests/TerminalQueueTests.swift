// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsBrowse

@Suite struct TerminalQueueTests {
    private func text(_ queue: TerminalQueue) -> String { String(decoding: queue.bytes[queue.rest], as: UTF8.self) }

    @Test func `a frame goes out in parts, and the queue is empty after the last one`() {
        var queue = TerminalQueue()
        #expect(queue.isEmpty)
        queue.add(frame: Array("frame".utf8))
        queue.advance(by: 2)
        #expect(text(queue) == "ame" && !queue.isEmpty)
        queue.advance(by: 3)
        #expect(queue.isEmpty)
    }

    @Test func `a terminal that takes nothing keeps the newest text and the newest mode of the mouse only`() {
        var queue = TerminalQueue()
        queue.add(frame: Array("frame".utf8))
        for number in 0..<1000 {
            queue.add(clipboard: Array("copy \(number)".utf8))
            queue.add(mouseMode: Array("mouse \(number % 2) ".utf8))
        }
        #expect(text(queue) == "frame")
        queue.advance(by: 5)
        #expect(text(queue) == "mouse 1 copy 999")
        queue.advance(by: queue.rest.count)
        #expect(queue.isEmpty)
    }

    @Test func `a request goes out at once where nothing is under way, and a restart drops what is`() {
        var queue = TerminalQueue()
        queue.add(clipboard: Array("copy".utf8))
        #expect(text(queue) == "copy")
        queue.add(mouseMode: Array("mouse".utf8))
        queue.restart(with: Array("enter".utf8))
        #expect(text(queue) == "enter")
        queue.advance(by: 5)
        #expect(queue.isEmpty)
    }
}
