// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl
import ClaimsPlatform

/// The sole owner of one easy handle and its error text.
@safe
struct EasyHandle: ~Copyable {
    /// The size in bytes of libcurl's receive buffer, by which its count of received bytes may lag.
    static let receiveBuffer = 16 << 10

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

    /// As `require` with a text, for bytes, which libcurl copies.
    func require(_ option: CURLoption, _ bytes: [UInt8]) throws(HTTPError) {
        let code = unsafe bytes.withUnsafeBytes { unsafe ccurl_setopt_bytes(handle, option, $0.baseAddress, $0.count) }
        guard code == CURLE_OK else {
            throw HTTPError(.other, detail: unsafe String(cString: ccurl_easy_strerror(code)))
        }
    }

    /// Sends `list`, which must outlive the transfer.
    func set(_ list: borrowing HeaderList) {
        _ = unsafe ccurl_setopt_pointer(handle, CURLOPT_HTTPHEADER, list.pointer)
    }

    /// Hands headers, body and the messages of TLS to `transfer`, which must outlive the transfer.
    func deliver(to transfer: AnswerReceiver) {
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        _ = unsafe ccurl_setopt_pointer(handle, CURLOPT_HEADERDATA, context)
        _ = unsafe ccurl_setopt_pointer(handle, CURLOPT_WRITEDATA, context)
        _ = unsafe ccurl_setopt_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let context = unsafe context else { return 0 }
            let transfer = unsafe Unmanaged<AnswerReceiver>.fromOpaque(context).takeUnretainedValue()
            let line = unsafe RawSpan(_unsafeStart: bytes, byteCount: size * count)
            return transfer.acceptHeader(line) ? size * count : 0
        }
        _ = unsafe ccurl_setopt_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let context = unsafe context else { return 0 }
            let transfer = unsafe Unmanaged<AnswerReceiver>.fromOpaque(context).takeUnretainedValue()
            let part = unsafe RawSpan(_unsafeStart: bytes, byteCount: size * count)
            return transfer.acceptBody(part) ? size * count : 0
        }
        showSecurity(to: transfer)
        unsafe transfer.received = EasyReading(handle: handle)
    }

    /// Shows the messages of TLS to `transfer`, which must outlive the transfer. Without the function libcurl would write
    /// headers to the standard error, so it shows nothing then.
    ///
    /// libcurl calls the function within the transfer only, with bytes that are valid for the call; a callback of C has no
    /// safe form.
    private func showSecurity(to transfer: AnswerReceiver) {
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        _ = unsafe ccurl_setopt_pointer(handle, CURLOPT_DEBUGDATA, context)
        let code = unsafe ccurl_setopt_debug(handle) { _, kind, bytes, size, context in
            guard let context = unsafe context, kind == CURLINFO_SSL_DATA_IN || kind == CURLINFO_SSL_DATA_OUT else {
                return 0
            }
            let transfer = unsafe Unmanaged<AnswerReceiver>.fromOpaque(context).takeUnretainedValue()
            let message = unsafe RawSpan(_unsafeStart: bytes, byteCount: size)
            transfer.tls.observe(message, isReceived: kind == CURLINFO_SSL_DATA_IN)
            return 0
        }
        set(CURLOPT_VERBOSE, code == CURLE_OK)
    }

    /// The measurements by libcurl of the running or the last transfer.
    var reading: EasyReading { unsafe EasyReading(handle: handle) }

    /// For `MultiHandle` and what belongs to writing.
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
    /// The bytes of the body that were sent so far.
    var sentBodyBytes: Int { Int(unsafe ccurl_getinfo_offset(handle, CURLINFO_SIZE_UPLOAD_T)) }
    /// The bytes that were sent so far, to a proxy that makes a tunnel too.
    var sentBytes: Int { unsafe ccurl_getinfo_long(handle, CURLINFO_REQUEST_SIZE) }
    /// The status with which a proxy answered the wish for a tunnel; 0 if it was not asked.
    var tunnelStatus: Int { unsafe ccurl_getinfo_long(handle, CURLINFO_HTTP_CONNECTCODE) }
    /// The errno(3) of the last connection that failed; 0 for none.
    var systemError: Int { unsafe ccurl_getinfo_long(handle, CURLINFO_OS_ERRNO) }
    /// The result of verifying the server's certificates (x509_vfy.h); 0 if they are good, or there are none.
    var verification: Int { unsafe ccurl_getinfo_long(handle, CURLINFO_SSL_VERIFYRESULT) }
    /// Whether a byte of the answer has come, or one of the request's body has left: to libcurl both are the start.
    var hasFirstByte: Bool { unsafe ccurl_getinfo_offset(handle, CURLINFO_STARTTRANSFER_TIME_T) > 0 }
}

extension EasyHandle {
    /// Forgets the last transfer, and sets the options that are the same for every request.
    ///
    /// - Parameter authorities: A PEM file of certificate authorities to trust in place of the system's.
    func prepare(
        _ url: HTTPURL, userAgent: String, authorities: String?, connect: Duration
    ) throws(HTTPError) {
        reset()
        set(CURLOPT_NOSIGNAL, true)
        set(CURLOPT_NOPROGRESS, true)
        set(CURLOPT_FOLLOWLOCATION, false)
        set(CURLOPT_HTTP09_ALLOWED, false)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        set(CURLOPT_BUFFERSIZE, Self.receiveBuffer)
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(max(1, connect.wholeMilliseconds)))
        // A resolver that hangs must not hold up the end of a transfer that has run out of time.
        set(CURLOPT_QUICK_EXIT, true)
        try require(CURLOPT_URL, url.text)
        try require(CURLOPT_PROTOCOLS_STR, "http,https")
        try require(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        try require(CURLOPT_USERAGENT, userAgent)
        if let authorities { try secure(HTTPSecurity(authorities: .file(authorities))) }
    }
}

extension EasyHandle {
    /// Secures connections with TLS 1.2 or newer and verifies them, by `security`.
    ///
    /// libcurl does not share connections whose authorities or certificates differ.
    func secure(_ security: HTTPSecurity) throws(HTTPError) {
        set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        set(CURLOPT_SSL_VERIFYPEER, true)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        switch security.authorities {
        case nil: break
        case .file(let path):
            try require(CURLOPT_CAINFO, path)
            try require(CURLOPT_CAPATH, Self.noFolder)
        case .bytes(let bytes):
            try require(CURLOPT_CAINFO_BLOB, bytes)
            try require(CURLOPT_CAPATH, Self.noFolder)
        }
        guard let certificate = security.certificate else { return }
        try require(CURLOPT_SSLCERTTYPE, "PEM")
        try require(CURLOPT_SSLCERT_BLOB, certificate)
        try require(CURLOPT_SSLKEYTYPE, "PEM")
        try require(CURLOPT_SSLKEY_BLOB, security.key ?? certificate)
        // Without a passphrase OpenSSL would ask for one on the terminal.
        try require(CURLOPT_KEYPASSWD, "")
    }

    /// A folder of authorities that has none: Debian's counts beside the file, and to libcurl "" is a folder too.
    private static let noFolder = "/dev/null"
}

extension EasyHandle {
    /// Makes the request a POST with this body, which libcurl copies.
    func post(_ body: [UInt8]) throws(HTTPError) {
        set(CURLOPT_POST, true)
        _ = unsafe ccurl_setopt_offset(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        let code = unsafe body.withUnsafeBytes { bytes in
            // libcurl only reads, and only during the call.
            unsafe ccurl_setopt_pointer(
                pointer, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress.map { unsafe UnsafeMutableRawPointer(mutating: $0) })
        }
        guard code == CURLE_OK else { throw Curl.outOfMemory() }
    }
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

    /// Does the work that needs no waiting; returns the result once the transfer has ended.
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
        // Called without the lock, because it may acquire others.
        wake?()
    }

    /// Makes cancelling call `wake`, until this is called with nil. `wake` is not called if this was cancelled before:
    /// the caller reads ``isCancelled`` afterwards.
    public func whenCancelled(_ wake: (@Sendable () -> Void)?) {
        state.update(waking: .none) { $0.wake = wake }
    }

    /// Lets `cancel` wake up the wait in `multi`, until this is called with nil.
    func attach(_ multi: UnsafeMutableRawPointer?) {
        state.update(waking: .none) { state in unsafe state.attach(multi) }
    }
}
