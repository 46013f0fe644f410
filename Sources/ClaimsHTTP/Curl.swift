// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl

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
