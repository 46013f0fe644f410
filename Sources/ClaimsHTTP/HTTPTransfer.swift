// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsPlatform

/// One request and its answer: takes what libcurl hands over, and stops it where a cap is reached.
///
/// Used by one thread; a class because libcurl's callbacks need an address.
final class HTTPTransfer {
    private(set) var headers = ResponseHeaders()
    /// Why this side ended the transfer, if it did.
    private(set) var failure: HTTPError?
    /// Whether the transfer was ended because the headers say all.
    private(set) var endedAtHeaders = false
    /// Set for as long as the transfer runs.
    var received: EasyReading?
    private var spool: BodySpool?
    private let limits: HTTPLimits

    init(limits: HTTPLimits, spoolDirectory: String) {
        self.limits = limits
        spool = BodySpool(directory: spoolDirectory)
    }

    /// Whether the status promises content: 204, 205 and 206 say that there is none, or only a part.
    static func hasContent(_ status: Int) -> Bool {
        (200..<300).contains(status) && !(204...206).contains(status)
    }

    /// Takes a header line; false ends the transfer.
    func takeHeader(_ line: RawSpan) -> Bool {
        switch headers.take(line) {
        case .more:
            return true
        case .tooMany:
            failure = HTTPError(.headersTooLarge, status: headers.isComplete ? headers.status : nil)
            return false
        case .end:
            if Self.hasContent(headers.status), let length = headers["content-length"].flatMap(Int.init),
                length > limits.body
            {
                failure = HTTPError(.bodyTooLarge(limits.body), status: headers.status)
                return false
            }
            if Self.hasContent(headers.status) || headers.status == 304 || headers["content-length"] == "0" {
                return true
            }
            // The body of a redirect or an error is not wanted, however long it is.
            endedAtHeaders = true
            return false
        }
    }

    /// Takes a decoded part of the body; false ends the transfer.
    func takeBody(_ part: RawSpan) -> Bool {
        guard Self.hasContent(headers.status) else { return true }
        let (count, overflow) = (spool?.count ?? 0).addingReportingOverflow(part.byteCount)
        if overflow || count > limits.body {
            failure = HTTPError(.bodyTooLarge(limits.body), status: headers.status)
            return false
        }
        // libcurl counts what it received after handing it over, one receive buffer late at most.
        if isTooExpanded(count, received: (received?.bodyBytes ?? 0) + HTTPLimits.receiveBuffer) { return false }
        do {
            try spool?.append(part)
            return true
        } catch {
            failure = HTTPError(.spool(error.errno), status: headers.status, detail: error.message)
            return false
        }
    }

    /// The body, once it is whole.
    func takeBody(received: Int) throws(HTTPError) -> FetchedBody {
        if isTooExpanded(spool?.count ?? 0, received: received), let failure { throw failure }
        do {
            guard let spool = spool.take() else { return FetchedBody([]) }
            return try spool.finish()
        } catch {
            throw HTTPError(.spool(error.errno), status: headers.status, detail: error.message)
        }
    }

    private func isTooExpanded(_ count: Int, received: Int) -> Bool {
        guard count > HTTPLimits.expansionFloor, count / max(1, limits.expansion) > received else { return false }
        failure = HTTPError(.expandsTooMuch(limits.expansion), status: headers.status)
        return true
    }
}
