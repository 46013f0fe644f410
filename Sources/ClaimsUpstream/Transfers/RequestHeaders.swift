// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// The header lines of a request.
enum RequestHeaders {
    /// - Parameters:
    ///   - isHome: whether the request goes where the site's headers and its credential belong.
    ///   - validators: of this very URL.
    static func list(
        _ request: HTTPRequest, isHome: Bool, validators: HTTPValidators?
    ) throws(HTTPError) -> HeaderList {
        var list = HeaderList()
        if isHome { try append(request.headers, credential: request.credential, to: &list) }
        if request.method == .post {
            let hasType = request.headers.contains { name, _ in name.lowercased() == "content-type" }
            if !hasType {
                // libcurl would call an empty body a form.
                if request.body.isEmpty {
                    try list.suppress("Content-Type")
                } else {
                    try list.append("Content-Type", "application/json")
                }
            }
            // Many servers never say that a large body may come.
            try list.suppress("Expect")
        }
        if let etag = validators?.etag, isValue(etag) { try list.append("If-None-Match", etag) }
        if let date = validators?.lastModified, isValue(date) { try list.append("If-Modified-Since", date) }
        return list
    }

    /// Appends the caller's headers, and the one that carries the credential.
    static func append(
        _ headers: [(name: String, value: String)], credential: HTTPCredential?, to list: inout HeaderList
    ) throws(HTTPError) {
        let secret = try credential?.header()
        for (name, value) in headers {
            guard isName(name), isValue(value) else {
                throw HTTPError(.other, detail: "the header \(name) cannot be sent")
            }
            if name.lowercased() == secret?.name.lowercased() { continue }
            try list.append(name, value)
        }
        if let secret { try list.append(secret.name, secret.value) }
    }

    /// A token (RFC 9110, section 5.6.2).
    static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    /// Anything but control characters.
    static func isValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { byte in byte >= 0x20 && byte != 0x7f }
    }
}
