// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsStore
import ClaimsUpstream
import Testing

@testable import ClaimsRefresh

@Suite struct RefreshQueueTests {
    private let done: RefreshQueue.Completion = { _ in }

    private func request(
        _ source: SourceID, _ options: RefreshOptions = RefreshOptions(), key: UInt64 = 1,
        of queue: inout RefreshQueue
    ) -> HTTPCancellation? {
        queue.request(source, options, key: key, completion: done)?.cancellation
    }

    @Test func `one at a time, shared by those it is enough for`() {
        var queue = RefreshQueue()
        let began = [
            request("a", RefreshOptions(), of: &queue) != nil, request("a", RefreshOptions(), of: &queue) != nil,
            request("b", RefreshOptions(), of: &queue) != nil,
            request("a", RefreshOptions(force: true), of: &queue) != nil,
            request("a", RefreshOptions(accept: true), of: &queue) != nil,
        ]
        #expect(began == [true, false, true, false, false])
        let first = queue.finish("a")
        #expect(first.completions.count == 2)
        #expect(first.next?.options == RefreshOptions(force: true, accept: true))
        #expect(queue.isRunning("a"))
        let second = queue.finish("a")
        #expect(second.completions.count == 2 && second.next == nil)
        #expect(!queue.isRunning("a") && queue.isRunning("b"))
    }

    @Test func `a forced one is enough for those who ask for less`() {
        var queue = RefreshQueue()
        let began = [
            request("a", RefreshOptions(force: true, accept: true), of: &queue) != nil,
            request("a", RefreshOptions(accept: true), of: &queue) != nil,
        ]
        #expect(began == [true, false])
        #expect(queue.finish("a").completions.count == 2)
    }

    @Test func `stopping cancels and begins nothing`() {
        var queue = RefreshQueue()
        let cancellation = request("a", RefreshOptions(), of: &queue)
        _ = request("a", RefreshOptions(force: true), of: &queue)
        queue.stop()
        #expect(cancellation?.isCancelled == true)
        let end = queue.finish("a")
        #expect(end.completions.count == 2 && end.next == nil)
    }

    @Test func `a refresh of what is no longer configured is cancelled, and begun again for those who wait`() throws {
        var queue = RefreshQueue()
        let old = request("a", RefreshOptions(force: true, accept: true), of: &queue)
        let other = request("b", of: &queue)
        queue.cancelOutdated { $0 == "a" ? 2 : 1 }
        #expect(old?.isCancelled == true && other?.isCancelled == false)
        // It asks for the old address, so it is not enough for anyone who comes now.
        #expect(request("a", key: 2, of: &queue) == nil)
        let (completions, next) = queue.finish("a")
        #expect(completions.isEmpty)
        let start = try #require(next)
        // The body that was accepted was that of the old address.
        #expect(start.options == RefreshOptions(force: true) && !start.cancellation.isCancelled)
        queue.cancelOutdated { $0 == "a" ? 2 : 1 }
        #expect(!start.cancellation.isCancelled)
        let end = queue.finish("a")
        #expect(end.completions.count == 2 && end.next == nil)
    }

    @Test func `accepting is about the request that was in force then`() throws {
        let accept = RefreshOptions(accept: true)
        // It waited for another refresh when the address changed.
        var queue = RefreshQueue()
        _ = request("a", of: &queue)
        _ = request("a", accept, of: &queue)
        queue.cancelOutdated { _ in 2 }
        #expect(queue.finish("a").next?.options == RefreshOptions())
        // The same, and then somebody asks for the new address without accepting.
        queue = RefreshQueue()
        _ = request("a", of: &queue)
        _ = request("a", accept, of: &queue)
        queue.cancelOutdated { _ in 2 }
        _ = request("a", RefreshOptions(force: true), key: 2, of: &queue)
        #expect(queue.finish("a").next?.options == RefreshOptions(force: true))
        // It came after the address had changed.
        queue = RefreshQueue()
        _ = request("a", of: &queue)
        queue.cancelOutdated { _ in 2 }
        _ = request("a", accept, key: 2, of: &queue)
        let next = try #require(queue.finish("a").next)
        #expect(next.options == accept && next.key == 2)
        // Another setting than the address has changed.
        queue.cancelOutdated { _ in 2 }
        #expect(!next.cancellation.isCancelled)
    }

    @Test func `a request for another address is not served by the refresh that runs`() throws {
        var queue = RefreshQueue()
        #expect(request("a", key: 1, of: &queue) != nil)
        #expect(request("a", key: 2, of: &queue) == nil)
        let (completions, next) = queue.finish("a")
        #expect(completions.count == 1 && next != nil)
        #expect(queue.finish("a").completions.count == 1)
    }

    @Test func `whoever still waits is found`() {
        var queue = RefreshQueue()
        _ = request("a", RefreshOptions(), of: &queue)
        _ = request("a", RefreshOptions(force: true), of: &queue)
        _ = request("b", RefreshOptions(), of: &queue)
        #expect(queue.drain().map(\.source.collection).sorted() == ["a", "a", "b"])
        #expect(!queue.isRunning("a"))
    }
}
