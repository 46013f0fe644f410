// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl

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
