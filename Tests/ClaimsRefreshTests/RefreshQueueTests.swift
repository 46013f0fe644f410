// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsHTTP
import ClaimsStore
import Testing

@testable import ClaimsRefresh

@Suite struct RefreshQueueTests {
    private let done: RefreshQueue.Completion = { _ in }

    @Test func `one at a time, shared by those it is enough for`() {
        var queue = RefreshQueue()
        let began = [
            queue.request("a", RefreshOptions(), done) != nil, queue.request("a", RefreshOptions(), done) != nil,
            queue.request("b", RefreshOptions(), done) != nil,
            queue.request("a", RefreshOptions(force: true), done) != nil,
            queue.request("a", RefreshOptions(accept: true), nil) != nil,
        ]
        #expect(began == [true, false, true, false, false])
        let first = queue.finish("a")
        #expect(first.completions.count == 2)
        #expect(first.next?.options == RefreshOptions(force: true, accept: true))
        #expect(queue.isRunning("a"))
        let second = queue.finish("a")
        #expect(second.completions.count == 1 && second.next == nil)
        #expect(!queue.isRunning("a") && queue.isRunning("b"))
    }

    @Test func `a forced one is enough for those who ask for less`() {
        var queue = RefreshQueue()
        let began = [
            queue.request("a", RefreshOptions(force: true, accept: true), done) != nil,
            queue.request("a", RefreshOptions(accept: true), done) != nil,
        ]
        #expect(began == [true, false])
        #expect(queue.finish("a").completions.count == 2)
    }

    @Test func `stopping cancels and begins nothing`() {
        var queue = RefreshQueue()
        let cancellation = queue.request("a", RefreshOptions(), done)
        _ = queue.request("a", RefreshOptions(force: true), done)
        queue.stop()
        #expect(cancellation?.isCancelled == true)
        let end = queue.finish("a")
        #expect(end.completions.count == 2 && end.next == nil)
    }

    @Test func `whoever still waits is found`() {
        var queue = RefreshQueue()
        _ = queue.request("a", RefreshOptions(), done)
        _ = queue.request("a", RefreshOptions(force: true), done)
        _ = queue.request("b", RefreshOptions(), done)
        #expect(queue.drain().map(\.collection).sorted() == ["a", "a", "b"])
        #expect(!queue.isRunning("a"))
    }
}
