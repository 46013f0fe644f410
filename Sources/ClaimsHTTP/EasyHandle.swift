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

    /// What the last failed transfer said of itself; may be empty.
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

    /// Hands headers and body to `exchange`, which must outlive the transfer.
    func deliver(to exchange: Exchange) {
        let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
        _ = unsafe ccurl_setopt_pointer(handle, CURLOPT_HEADERDATA, context)
        _ = unsafe ccurl_setopt_pointer(handle, CURLOPT_WRITEDATA, context)
        _ = unsafe ccurl_setopt_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let context = unsafe context else { return 0 }
            let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
            let line = unsafe RawSpan(_unsafeStart: bytes, byteCount: size * count)
            return exchange.takeHeader(line) ? size * count : 0
        }
        _ = unsafe ccurl_setopt_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let context = unsafe context else { return 0 }
            let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
            let part = unsafe RawSpan(_unsafeStart: bytes, byteCount: size * count)
            return exchange.takeBody(part) ? size * count : 0
        }
        unsafe exchange.received = EasyReading(handle: handle)
    }

    /// What libcurl measured of the running or the last transfer.
    var reading: EasyReading { unsafe EasyReading(handle: handle) }

    /// For `MultiHandle`.
    var pointer: UnsafeMutableRawPointer { unsafe handle }
}
