// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl

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
