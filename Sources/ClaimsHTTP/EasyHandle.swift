// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl
import ClaimsPlatform

/// The sole owner of one easy handle and its error text.
@safe
struct EasyHandle: ~Copyable {
    private let handle: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>

    init() throws(HTTPError) {
        try Curl.load()
        guard let handle = unsafe ccurl_easy_init() else { throw Curl.outOfMemory() }
        unsafe self.handle = handle
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        unsafe ccurl_easy_cleanup(handle)
        unsafe errorText.deallocate()
    }

    /// The message of the last failed transfer; may be empty.
    var message: String { unsafe String(cString: errorText) }

    /// Forgets all options of the last transfer.
    func reset() {
        unsafe ccurl_easy_reset(handle)
        unsafe errorText.pointee = 0
        _ = unsafe ccurl_setopt_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
    }

    /// An option this libcurl does not know is left as it is.
    func set(_ option: CURLoption, _ value: Int) {
        _ = unsafe ccurl_setopt_long(handle, option, value)
    }

    func set(_ option: CURLoption, _ value: Bool) { set(option, value ? 1 : 0) }

    /// As `set`, for an option without which no transfer may run.
    func require(_ option: CURLoption, _ value: String) throws(HTTPError) {
        let code = unsafe ccurl_setopt_string(handle, option, value)
        guard code == CURLE_OK else {
            throw HTTPError(.other, detail: unsafe String(cString: ccurl_easy_strerror(code)))
        }
    }

    /// Sends `list`, which must outlive the transfer.
    func set(_ list: borrowing HeaderList) {
        _ = unsafe ccurl_setopt_pointer(handle, CURLOPT_HTTPHEADER, list.pointer)
    }

    /// Hands headers and body to `transfer`, which must outlive the transfer.
    func deliver(to transfer: HTTPTransfer) {
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        _ = unsafe ccurl_setopt_pointer(handle, CURLOPT_HEADERDATA, context)
        _ = unsafe ccurl_setopt_pointer(handle, CURLOPT_WRITEDATA, context)
        _ = unsafe ccurl_setopt_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let context = unsafe context else { return 0 }
            let transfer = unsafe Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
            let line = unsafe RawSpan(_unsafeStart: bytes, byteCount: size * count)
            return transfer.takeHeader(line) ? size * count : 0
        }
        _ = unsafe ccurl_setopt_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let context = unsafe context else { return 0 }
            let transfer = unsafe Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
            let part = unsafe RawSpan(_unsafeStart: bytes, byteCount: size * count)
            return transfer.takeBody(part) ? size * count : 0
        }
        unsafe transfer.received = EasyReading(handle: handle)
    }

    /// The measurements by libcurl of the running or the last transfer.
    var reading: EasyReading { unsafe EasyReading(handle: handle) }

    /// For `MultiHandle`.
    var pointer: UnsafeMutableRawPointer { unsafe handle }
}

/// Looks at an easy handle. Invariant: kept no longer than the transfer it belongs to.
@safe
struct EasyReading {
    private let handle: UnsafeMutableRawPointer

    @unsafe
    init(handle: UnsafeMutableRawPointer) { unsafe self.handle = handle }

    /// The bytes of the body so far, as received.
    var bodyBytes: Int { Int(unsafe ccurl_getinfo_offset(handle, CURLINFO_SIZE_DOWNLOAD_T)) }
    /// Whether a byte of the answer has come.
    var hasFirstByte: Bool { unsafe ccurl_getinfo_offset(handle, CURLINFO_STARTTRANSFER_TIME_T) > 0 }
}

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

    /// Ends the running transfer, and every later one that is given this object, with the reason `cancelled`.
    ///
    /// Any thread may call it. It cannot be undone.
    public func cancel() {
        state.update(waking: .none) { state in
            state.isCancelled = true
            state.wakeUp()
        }
    }

    /// Lets `cancel` wake up the wait in `multi`, until this is called with nil.
    func attach(_ multi: UnsafeMutableRawPointer?) {
        state.update(waking: .none) { state in unsafe state.attach(multi) }
    }
}

/// libcurl, once it is loaded.
enum Curl {
    /// Loads libcurl on the first call.
    static func load() throws(HTTPError) {
        if let failure = unsafe ccurl_load() {
            throw HTTPError(.other, detail: unsafe String(cString: failure))
        }
    }

    static func outOfMemory() -> HTTPError { HTTPError(.other, detail: "libcurl: out of memory") }
}

/// The sole owner of one list of header lines.
@safe
struct HeaderList: ~Copyable {
    private var list: UnsafeMutablePointer<curl_slist>?

    init() { unsafe list = nil }

    deinit { unsafe ccurl_slist_free(list) }

    var pointer: UnsafeMutablePointer<curl_slist>? { unsafe list }

    /// Appends a header. libcurl writes one without a value as `Name;`.
    mutating func append(_ name: String, _ value: String) throws(HTTPError) {
        let line = value.isEmpty ? "\(name);" : "\(name): \(value)"
        guard let longer = unsafe ccurl_slist_append(list, line) else { throw Curl.outOfMemory() }
        unsafe list = longer
    }
}
