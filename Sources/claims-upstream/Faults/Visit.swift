// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A request that is not answered yet.
struct Visit {
    let number: Int
    let behaviour: Behaviour
    /// How often the held requests of its path had been released.
    let releases: Int
    /// The answer to a request that is not allowed: 401 or 429.
    let refusal: UpstreamResponse?
    /// Headers that its answer has in any case.
    let headers: [(name: String, value: String?)]

    /// How often the write that the request asks for is done.
    var commits: Int { refusal == nil ? behaviour.commits : 0 }

    /// Whether the request asks for records, rather than for a write.
    func isRead(_ request: UpstreamRequest) -> Bool { request.method == "GET" || behaviour.isRead }
}
