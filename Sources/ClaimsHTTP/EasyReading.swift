// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl

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
