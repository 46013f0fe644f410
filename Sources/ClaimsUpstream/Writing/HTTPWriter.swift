// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl
import ClaimsModel
public import ClaimsPlatform

/// Makes attempts to write, each on the calling thread and on a connection of its own.
///
/// An attempt sends its request once or not at all, and reports which. libcurl itself sends a request again if a kept
/// connection dies, so no connection is kept. It follows no redirect. It speaks HTTP/1.1, in which no server can hand a
/// request back for another connection. It never waits for a `100 Continue`: many servers send none, and a server that
/// answers 417 would get the request again.
///
/// A call blocks, so it must not run on a thread of Swift's cooperative pool. The process must ignore SIGPIPE. Proxies
/// come from the environment. Several threads may use one writer.
public struct HTTPWriter: Sendable {
    private let userAgent: String
    private let clock: WallClock
    private let authorities: String?

    /// - Parameters:
    ///   - userAgent: The value of the `User-Agent` header.
    ///   - clock: The time from which a date in `Retry-After` counts, if the server does not send its own.
    ///   - authorities: A PEM file of certificate authorities to trust in place of the system's.
    public init(userAgent: String = "claimsd", clock: WallClock = .system, authorities: String? = nil) {
        self.userAgent = userAgent
        self.clock = clock
        self.authorities = authorities
    }

    /// Sends `request` once, and returns when its answer has come, or a deadline has passed.
    ///
    /// - Parameters:
    ///   - cancellation: A switch that ends the attempt from another thread.
    ///   - progress: Called on this thread whenever more bytes of the body have been handed to the kernel, with their
    ///     number and the size of the body. It is not bound to a rate.
    public func send(
        _ request: HTTPWriteRequest, cancellation: HTTPCancellation? = nil,
        progress: (_ sent: Int, _ total: Int) -> Void = { _, _ in }
    ) -> HTTPWriteOutcome {
        do throws(HTTPError) {
            var form: MultipartForm?
            if case .multipart(let parts) = request.body { form = MultipartForm(parts) }
            let url = try HTTPURL(request.url)
            let list = try RequestHeaders.list(request, contentType: form?.type)
            let transfer = try WriteTransfer(form?.contents ?? request.body.contents)
            let attempt = try WriteAttempt(transfer, to: url)
            try prepare(attempt.easy, request, url: url)
            if request.hasBody { attempt.easy.sendBody(of: transfer, size: transfer.bodySize) }
            attempt.easy.set(list)
            var limits = request.limits
            if !request.isGivenUpEarly { limits.firstByte = .zero }
            let end = attempt.perform(limits: limits, cancellation: cancellation, progress: progress)
            // The handle has a pointer to the headers.
            withExtendedLifetime(list) {}
            return outcome(end, transfer)
        } catch {
            return .unsent(error)
        }
    }

    private func prepare(
        _ easy: borrowing EasyHandle, _ request: HTTPWriteRequest, url: HTTPURL
    ) throws(HTTPError) {
        try easy.prepare(url, userAgent: userAgent, authorities: authorities, connect: request.limits.connect)
        if let secret = try request.credential?.parameter() {
            try easy.require(CURLOPT_URL, secret.added(to: secret.removed(from: url.text, isHome: true)))
        }
        try easy.secure(request.security)
        try easy.require(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        // An answer in an encoding that was not asked for is decoded nevertheless.
        try easy.require(CURLOPT_ACCEPT_ENCODING, "identity")
        easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        easy.set(CURLOPT_FRESH_CONNECT, true)
        easy.set(CURLOPT_FORBID_REUSE, true)
    }

    private func outcome(_ end: WriteAttempt.End, _ transfer: WriteTransfer) -> HTTPWriteOutcome {
        switch end {
        case .unsent(let error): return .unsent(error)
        case .unanswered(let error): return .unanswered(error)
        case .answered(let isWhole):
            let headers = transfer.headers
            let retryAfter = headers["retry-after"].flatMap { value in
                HTTPDelay.retryAfter(value, date: headers["date"], now: clock.now() / 1000)
            }
            return .answered(
                HTTPWriteAnswer(
                    status: headers.status, location: headers["location"], etag: headers.validator("etag"),
                    retryAfter: retryAfter, contentType: headers["content-type"], body: transfer.answer,
                    isWhole: isWhole, pace: HTTPPaceHeaders(headers)))
        }
    }
}

extension HTTPWriteRequest {
    /// Whether the request gives the length of its body.
    fileprivate var hasBody: Bool {
        switch (body, method) {
        case (.none, .get), (.none, .delete): false
        default: true
        }
    }
}

extension HTTPWriteRequest.Body {
    /// The contents of a body without parts.
    fileprivate var contents: [HTTPContent] {
        if case .content(let content) = self { [content] } else { [] }
    }
}

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

    /// The headers that define the end of a request and the way in which it is sent, in lower case.
    private static let framing: Set = ["content-length", "transfer-encoding", "expect", "connection", "trailer", "te"]
}
