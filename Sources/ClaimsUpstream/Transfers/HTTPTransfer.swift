// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform

/// The answer to a GET request, up to its caps.
final class HTTPTransfer: AnswerReceiver {
    /// The decoded size in bytes up to which no ratio is checked.
    private static let expansionFloor = 1 << 20

    /// Whether the transfer was ended because the headers are enough.
    private(set) var endedAtHeaders = false
    private var spool: BodySpool?
    private let limits: TransferLimits
    /// Takes the beginning of a body that refuses.
    private let refusal: RefusedBody?

    init(limits: TransferLimits, spoolDirectory: String, refusal: RefusedBody? = nil) {
        self.limits = limits
        self.refusal = refusal
        spool = BodySpool(directory: spoolDirectory)
    }

    /// Whether an answer with the status has the whole content: 204, 205 and 206 have none, or only a part.
    static func hasContent(_ status: Int) -> Bool {
        (200..<300).contains(status) && !(204...206).contains(status)
    }

    /// Whether the body of a refusal is received: it may end in any way, because the status is enough.
    var isRefusing: Bool { refusal != nil && (status ?? 0) >= 400 }

    /// The progress of the transfer.
    ///
    /// - Parameter received: the bytes of the body so far, as received.
    func progress(received: Int, hasFirstByte: Bool) -> HTTPProgress {
        guard let status, Self.hasContent(status) else { return HTTPProgress(isReceiving: hasFirstByte) }
        return HTTPProgress(
            isReceiving: true, bytes: received, expected: headers["content-length"].flatMap(Int.init))
    }

    override func acceptEndOfHeaders() -> Bool {
        if Self.hasContent(headers.status), let length = headers["content-length"].flatMap(Int.init),
            length > limits.body
        {
            failure = HTTPError(.bodyTooLarge(limits.body), status: headers.status)
            return false
        }
        if Self.hasContent(headers.status) || headers.status == 304 || headers["content-length"] == "0" {
            return true
        }
        if isRefusing {
            refusal?.begin()
            return true
        }
        // The body of a redirect or an error is not wanted, however long it is.
        endedAtHeaders = true
        return false
    }

    override func acceptBody(_ part: RawSpan) -> Bool {
        if isRefusing, let refusal {
            endedAtHeaders = !refusal.accept(part)
            return !endedAtHeaders
        }
        guard Self.hasContent(headers.status) else { return true }
        let (count, overflow) = (spool?.count ?? 0).addingReportingOverflow(part.byteCount)
        if overflow || count > limits.body {
            failure = HTTPError(.bodyTooLarge(limits.body), status: headers.status)
            return false
        }
        // libcurl counts received bytes after handing them over, so the count is behind by at most one receive buffer.
        if isTooExpanded(count, received: (received?.bodyBytes ?? 0) + EasyHandle.receiveBuffer) { return false }
        do {
            try spool?.append(part)
            return true
        } catch {
            failure = HTTPError(.spool(error.errno), status: headers.status, detail: error.message)
            return false
        }
    }

    /// The body, once it is whole.
    func finishBody(received: Int) throws(HTTPError) -> FetchedBody {
        if isTooExpanded(spool?.count ?? 0, received: received), let failure { throw failure }
        do {
            guard let spool = spool.take() else { return FetchedBody([]) }
            return try spool.finish()
        } catch {
            throw HTTPError(.spool(error.errno), status: headers.status, detail: error.message)
        }
    }

    private func isTooExpanded(_ count: Int, received: Int) -> Bool {
        guard count > Self.expansionFloor, count / max(1, limits.expansion) > received else { return false }
        failure = HTTPError(.expandsTooMuch(limits.expansion), status: headers.status)
        return true
    }
}
