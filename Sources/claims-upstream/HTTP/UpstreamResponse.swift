// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// An HTTP response, before it is sent.
struct UpstreamResponse {
    var status = 200
    private(set) var headers: [(name: String, value: String)] = [("Content-Type", "application/json")]
    var body: [UInt8] = []
    /// False for 204 and 304: they have neither a body nor a length.
    var hasBody = true

    init(status: Int = 200, body: [UInt8] = [], hasBody: Bool = true) {
        self.status = status
        self.body = body
        self.hasBody = hasBody
    }

    subscript(name: String) -> String? {
        get { headers.first { header in header.name.lowercased() == name.lowercased() }?.value }
        set {
            headers.removeAll { header in header.name.lowercased() == name.lowercased() }
            if let newValue { headers.append((name, newValue)) }
        }
    }

    mutating func apply(_ changes: [(name: String, value: String?)]) {
        for change in changes { self[change.name] = change.value }
    }

    /// Status line and headers, without the empty line.
    var head: String {
        headers.reduce("HTTP/1.1 \(status) \(Self.reason(status))\r\n") { head, header in
            head + "\(header.name): \(header.value)\r\n"
        }
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 204: "No Content"
        case 301, 302, 303, 307, 308: "Elsewhere"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 415: "Unsupported Media Type"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 503: "Service Unavailable"
        default: "Status"
        }
    }
}
