// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import ClaimsUpstream

/// A real upstream, and transfers from it.
struct Fixture {
    static let records = #"[{"id":"1","name":"Åland"},{"id":"2","name":"Łódź"}]"#

    let upstream: UpstreamProcess
    let spool: TemporaryFolder

    init(_ steps: String? = nil) throws {
        upstream = try UpstreamProcess(["records.json": Self.records])
        spool = try TemporaryFolder()
        if let steps { try upstream.misbehave("records.json", steps) }
    }

    var url: String { upstream.url("records.json") }

    /// Fetches `url` in a session of its own.
    func fetch(
        limits: TransferLimits = TransferLimits(), change: (inout HTTPRequest) -> Void = { _ in }
    ) throws(HTTPError) -> HTTPResponse {
        var request = HTTPRequest(url: url, limits: limits)
        change(&request)
        return try HTTPClient(spoolDirectory: spool.path).perform(request)
    }

    /// The error that `fetch` throws, nil where it succeeds.
    func failure(
        limits: TransferLimits = TransferLimits(), change: (inout HTTPRequest) -> Void = { _ in }
    ) -> HTTPError? {
        do throws(HTTPError) {
            _ = try fetch(limits: limits, change: change)
            return nil
        } catch {
            return error
        }
    }
}

extension FetchedBody {
    var array: [UInt8] {
        withBytes { bytes in unsafe bytes.withUnsafeBytes { buffer in unsafe Array(buffer) } }
    }

    var text: String { String(decoding: array, as: UTF8.self) }
}

/// The error that `work` throws.
func failure(of work: () throws(HTTPError) -> Void) -> HTTPError? {
    do throws(HTTPError) {
        try work()
        return nil
    } catch {
        return error
    }
}
