// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl
import ClaimsPlatform

/// The sole owner of one multi handle, which keeps connections alive between transfers.
@safe
struct MultiHandle: ~Copyable {
    private let handle: UnsafeMutableRawPointer

    init() throws(HTTPError) {
        try Curl.load()
        guard let handle = unsafe ccurl_multi_init() else { throw Curl.outOfMemory() }
        unsafe self.handle = handle
    }

    deinit { unsafe ccurl_multi_cleanup(handle) }

    var pointer: UnsafeMutableRawPointer { unsafe handle }

    func add(_ easy: borrowing EasyHandle) throws(HTTPError) {
        guard unsafe ccurl_multi_add(handle, easy.pointer) == CURLM_OK else { throw Curl.outOfMemory() }
    }

    func remove(_ easy: borrowing EasyHandle) { _ = unsafe ccurl_multi_remove(handle, easy.pointer) }

    /// Does what can be done without waiting; the result once the transfer has ended.
    func advance() throws(HTTPError) -> CURLcode? {
        guard unsafe ccurl_multi_perform(handle) == CURLM_OK else { throw Curl.outOfMemory() }
        var result = CURLE_OK
        return unsafe ccurl_multi_ended(handle, &result) ? result : nil
    }

    /// Waits until there is something to do, or for so long.
    func wait(milliseconds: Int32) throws(HTTPError) {
        guard unsafe ccurl_multi_poll(handle, milliseconds) == CURLM_OK else { throw Curl.outOfMemory() }
    }
}

/// A switch with which any thread ends a transfer, at once and for good.
///
/// It may serve several transfers, one after the other. Once it is cancelled, every transfer that is given it ends.
public final class HTTPCancellation: Sendable {
    @safe
    private struct State {
        var isCancelled = false
        /// Ends a wait that is no transfer's.
        var wake: (@Sendable () -> Void)?
        /// The multi handle whose wait may be ended.
        ///
        /// Invariant: a live handle, because it is withdrawn with `attach(nil)`, under the lock, before it is freed.
        /// The only call with it is `curl_multi_wakeup`, which is safe on any thread.
        private var transfer: UnsafeMutableRawPointer?

        init() { unsafe transfer = nil }

        mutating func attach(_ multi: UnsafeMutableRawPointer?) { unsafe transfer = multi }

        func wakeUp() {
            if let transfer = unsafe transfer { _ = unsafe ccurl_multi_wakeup(transfer) }
        }
    }

    private let state = Monitor(State())

    /// A switch that is not cancelled.
    public init() {}

    /// Whether `cancel` was called. Any thread may ask.
    public var isCancelled: Bool {
        state.read { state in state.isCancelled }
    }

    /// Waits on the calling thread for a time, or until `cancel` is called.
    ///
    /// - Returns: whether it was called.
    public func wait(upTo time: Duration) -> Bool {
        state.wait(upTo: time) { state in state.isCancelled ? true : nil } ?? false
    }

    /// Ends the running transfer, and every later one that is given this object, with the reason `cancelled`.
    ///
    /// Any thread may call it. It cannot be undone.
    public func cancel() {
        let wake = state.update(waking: .all) { state in
            state.isCancelled = true
            state.wakeUp()
            return state.wake
        }
        // Without the lock, because it may take others.
        wake?()
    }

    /// Has `wake` called when this is cancelled, until this is called with nil. It is not called where it was cancelled
    /// before: the caller looks at ``isCancelled`` afterwards.
    public func whenCancelled(_ wake: (@Sendable () -> Void)?) {
        state.update(waking: .none) { $0.wake = wake }
    }

    /// Lets `cancel` wake up the wait in `multi`, until this is called with nil.
    func attach(_ multi: UnsafeMutableRawPointer?) {
        state.update(waking: .none) { state in unsafe state.attach(multi) }
    }
}
