// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl
import ClaimsPlatform

extension EasyHandle {
    /// Forgets the last transfer, and sets what is the same for every request.
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
        set(CURLOPT_BUFFERSIZE, HTTPLimits.receiveBuffer)
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
