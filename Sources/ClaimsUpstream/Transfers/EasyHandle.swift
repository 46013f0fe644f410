// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl

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
            return transfer.takeHeader(line) ? size * count : 0
        }
        _ = unsafe ccurl_setopt_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let context = unsafe context else { return 0 }
            let transfer = unsafe Unmanaged<AnswerReceiver>.fromOpaque(context).takeUnretainedValue()
            let part = unsafe RawSpan(_unsafeStart: bytes, byteCount: size * count)
            return transfer.takeBody(part) ? size * count : 0
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
            transfer.tls.note(message, isReceived: kind == CURLINFO_SSL_DATA_IN)
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
    /// Whether a byte of the answer has come, or one of the request's body has left: libcurl takes both for the start.
    var hasFirstByte: Bool { unsafe ccurl_getinfo_offset(handle, CURLINFO_STARTTRANSFER_TIME_T) > 0 }
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
        try append(line: value.isEmpty ? "\(name);" : "\(name): \(value)")
    }

    /// Keeps libcurl from sending a header of its own making.
    mutating func suppress(_ name: String) throws(HTTPError) { try append(line: "\(name):") }

    private mutating func append(line: String) throws(HTTPError) {
        guard let longer = unsafe ccurl_slist_append(list, line) else { throw Curl.outOfMemory() }
        unsafe list = longer
    }
}
