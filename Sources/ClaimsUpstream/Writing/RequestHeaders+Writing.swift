// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension RequestHeaders {
    /// The header lines of a request that may change something.
    ///
    /// - Parameter contentType: the type of a body whose form this module made, in place of the caller's.
    static func list(_ request: HTTPWriteRequest, contentType: String?) throws(HTTPError) -> HeaderList {
        for (name, _) in request.headers where framing.contains(name.lowercased()) {
            throw HTTPError(.other, detail: "the header \(name) is not the caller's")
        }
        var list = HeaderList()
        let headers = request.headers.filter { name, _ in contentType == nil || name.lowercased() != "content-type" }
        try append(headers, credential: request.credential, to: &list)
        if let contentType { try list.append("Content-Type", contentType) }
        try list.suppress("Expect")
        return list
    }

    /// The headers that say where a request ends and how it is sent, in lower case.
    private static let framing: Set = ["content-length", "transfer-encoding", "expect", "connection", "trailer", "te"]
}
