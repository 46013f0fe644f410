// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// The sole owner of one of libcurl's URL handles.
@safe
struct URLParts: ~Copyable {
    private let handle: OpaquePointer

    init() throws(HTTPError) {
        try Curl.load()
        guard let handle = unsafe ccurl_url() else { throw Curl.outOfMemory() }
        unsafe self.handle = handle
    }

    deinit { unsafe ccurl_url_free(handle) }

    /// Takes in a URL, or a reference relative to the one before; `encodes` its spaces.
    func set(_ text: String, encodes: Bool = false) -> Bool {
        unsafe ccurl_url_set(handle, CURLUPART_URL, text, encodes ? UInt32(CURLU_URLENCODE) : 0) == CURLUE_OK
    }

    func removeFragment() { _ = unsafe ccurl_url_set(handle, CURLUPART_FRAGMENT, nil, 0) }

    subscript(part: CURLUPart, flags flags: UInt32 = UInt32(CURLU_DEFAULT_PORT)) -> String? {
        guard let value = unsafe ccurl_url_get(handle, part, flags) else { return nil }
        defer { unsafe ccurl_free(value) }
        return unsafe String(cString: value)
    }
}
