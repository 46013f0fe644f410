// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl
import ClaimsModel
public import ClaimsPlatform

/// A client that makes one transfer after the other on the calling thread, and keeps connections between them.
///
/// A call blocks, so it must not run on a thread of Swift's cooperative pool. The process must ignore SIGPIPE. Proxies
/// come from the environment (`https_proxy`, `http_proxy`, `all_proxy`, `no_proxy`). ``TransferLimits`` bound the whole
/// transfer.
public struct HTTPClient: ~Copyable {
    // The order matters: the easy handle goes after the multi handle that may still know it.
    private let multi: MultiHandle
    private let easy: EasyHandle
    private let spoolDirectory: String
    private let userAgent: String
    private let clock: WallClock
    private let authorities: String?

    /// Makes a client without any connection.
    ///
    /// - Parameters:
    ///   - spoolDirectory: The folder for large bodies, which are files without a name. It should be on a disk.
    ///   - userAgent: The value of the `User-Agent` header.
    ///   - clock: The time from which a date in `Retry-After` counts, if the server does not send its own.
    ///   - authorities: A PEM file of certificate authorities to trust in place of the system's.
    /// - Throws: The kind `other` if libcurl cannot be loaded.
    public init(
        spoolDirectory: String, userAgent: String = "claimsd", clock: WallClock = .system, authorities: String? = nil
    ) throws(HTTPError) {
        let multi = try MultiHandle()
        let easy = try EasyHandle()
        self.multi = multi
        self.easy = easy
        self.spoolDirectory = spoolDirectory
        self.userAgent = userAgent
        self.clock = clock
        self.authorities = authorities
    }

    /// Fetches `request`, follows redirects, and returns once the whole body has arrived.
    ///
    /// Headers and credential are sent only to the origin of the request's `home`, and validators only to the URL that
    /// gave them. A redirect from https to http is refused.
    ///
    /// - Parameters:
    ///   - cancellation: A switch that ends the transfer from another thread.
    ///   - willFollow: Called before each redirect is followed. The time that it takes is not the transfer's; the error
    ///     that it throws ends the transfer.
    ///   - observe: Called on this thread after each progress; it must be quick.
    /// - Throws: An `HTTPError` of any kind but `file`. The bytes received until then are dropped.
    public func perform(
        _ request: HTTPRequest, cancellation: HTTPCancellation? = nil,
        willFollow: ((HTTPRedirect) throws(HTTPError) -> Void)? = nil, observe: ((HTTPProgress) -> Void)? = nil
    ) throws(HTTPError) -> HTTPResponse {
        var deadline = SystemClock.monotonic &+ request.limits.transfer.wholeNanoseconds
        var url = try HTTPURL(request.url)
        let home = try request.home.map { text throws(HTTPError) in try HTTPURL(text) } ?? url
        let validatorsURL = try request.validators.map { validators throws(HTTPError) in
            try validators.url.map { text throws(HTTPError) in try HTTPURL(text) } ?? url
        }
        let secret = try request.credential?.parameter()
        var redirects = 0
        while true {
            let isHome = url.hasSameOrigin(as: home)
            if let secret { url = try HTTPURL(secret.removed(from: url.text, isHome: isHome)) }
            guard isHome || request.body == nil else { throw HTTPError.postElsewhere(status: nil) }
            let validators = validatorsURL == url && request.body == nil ? request.validators : nil
            let list = try RequestHeaders.list(request, isHome: isHome, validators: validators)
            let transfer = HTTPTransfer(
                limits: request.limits, spoolDirectory: spoolDirectory, refusal: request.refusal)
            try easy.prepare(url, userAgent: userAgent, authorities: authorities, connect: request.limits.connect)
            if isHome, let secret { try easy.require(CURLOPT_URL, secret.added(to: url.text)) }
            try easy.secure(isHome ? request.security : request.security.withoutCertificate)
            try easy.require(CURLOPT_ACCEPT_ENCODING, "")
            easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
            if let body = request.body { try easy.post(body) }
            easy.set(list)
            easy.deliver(to: transfer)
            let ending = Ending(
                host: url.host, hasBody: request.body != nil, firstByte: request.limits.firstByte,
                deadline: deadline, cancellation: cancellation)
            do throws(HTTPError) { try run(transfer, ending, observe: observe) } catch {
                guard transfer.isRefusing, !error.isCancelled else { throw error }
            }
            // The handle has a pointer to the headers.
            withExtendedLifetime(list) {}

            let headers = transfer.headers
            switch headers.status {
            case 304:
                guard let validators, !validators.isEmpty else {
                    throw HTTPError(.unsolicitedNotModified, status: 304)
                }
                return try response(transfer, url)
            case 301, 302, 303, 307, 308:
                guard redirects < request.limits.redirects else {
                    throw HTTPError(.tooManyRedirects(request.limits.redirects), status: headers.status)
                }
                redirects += 1
                let next = try request.redirect(headers.status, from: url, to: headers["location"])
                if let willFollow {
                    let pause = SystemClock.monotonic
                    try willFollow(
                        HTTPRedirect(
                            status: headers.status, source: url, target: next, pace: HTTPPaceHeaders(headers)))
                    deadline &+= SystemClock.monotonic &- pause
                }
                url = next
            case let status where HTTPTransfer.hasContent(status):
                return try response(transfer, url)
            case let status:
                var error = HTTPError(
                    .status, status: status, retryAfter: retryAfter(headers), pace: HTTPPaceHeaders(headers))
                error.isElsewhere = !isHome
                throw error
            }
        }
    }

    /// All that ends one request but its answer.
    private struct Ending {
        let host: String
        /// Whether the request has a body.
        let hasBody: Bool
        let firstByte: Duration
        /// The end of the whole transfer, in nanoseconds of the monotonic clock.
        let deadline: UInt64
        let cancellation: HTTPCancellation?
    }

    /// Runs one prepared request to its end, or to a deadline.
    private func run(
        _ transfer: HTTPTransfer, _ ending: Ending, observe: ((HTTPProgress) -> Void)?
    ) throws(HTTPError) {
        let cancellation = ending.cancellation
        try multi.add(easy)
        unsafe cancellation?.attach(multi.pointer)
        defer {
            unsafe cancellation?.attach(nil)
            multi.remove(easy)
            transfer.received = nil
        }
        let firstByteDeadline = SystemClock.monotonic &+ ending.firstByte.wholeNanoseconds
        let totalDeadline = ending.deadline
        var hasFirstByte = false
        while true {
            let result = try multi.advance()
            if let failure = transfer.failure { throw failure }
            if let result { return try check(result, transfer, host: ending.host) }
            if cancellation?.isCancelled == true { throw HTTPError(.cancelled) }
            hasFirstByte = hasFirstByte || (ending.hasBody ? transfer.hasBegun : easy.reading.hasFirstByte)
            observe?(transfer.progress(received: easy.reading.bodyBytes, hasFirstByte: hasFirstByte))
            let now = SystemClock.monotonic
            if now >= totalDeadline { throw HTTPError(.timeout(.transfer), status: transfer.status) }
            if !hasFirstByte && now >= firstByteDeadline { throw HTTPError(.timeout(.firstByte)) }
            let deadline = hasFirstByte ? totalDeadline : min(totalDeadline, firstByteDeadline)
            try multi.wait(milliseconds: Int32(clamping: (deadline - now + 999_999) / 1_000_000))
        }
    }

    private func check(_ result: CURLcode, _ transfer: HTTPTransfer, host: String) throws(HTTPError) {
        if transfer.endedAtHeaders { return }
        if result != CURLE_OK {
            throw CurlFailure(easy, transfer, host: host).error(result)
        }
        // libcurl is content with a connection that ends within the headers.
        if !transfer.headers.isComplete {
            throw HTTPError(.truncated, detail: "the connection ended within the headers")
        }
    }

    private func response(_ transfer: HTTPTransfer, _ url: HTTPURL) throws(HTTPError) -> HTTPResponse {
        let headers = transfer.headers
        let received = easy.reading.bodyBytes
        let age = HTTPDelay.age(headers.all("age"))
        return HTTPResponse(
            status: headers.status, effectiveURL: url.text,
            validators: HTTPValidators(
                etag: headers.validator("etag"), lastModified: headers.validator("last-modified"), url: url.text),
            age: age, maxAge: HTTPDelay.maxAge(headers.all("cache-control"), age: age),
            retryAfter: retryAfter(headers), pace: HTTPPaceHeaders(headers),
            linkNext: LinkHeader.next(in: headers.all("link")),
            contentType: headers["content-type"], body: try transfer.finishBody(received: received), received: received)
    }

    private func retryAfter(_ headers: ResponseHeaders) -> Int? {
        headers["retry-after"].flatMap { value in
            HTTPDelay.retryAfter(value, date: headers["date"], now: clock.now() / 1000)
        }
    }
}

extension RequestHeaders {
    /// The header lines of a request that reads.
    ///
    /// - Parameters:
    ///   - isHome: whether the request goes to the origin of the site's headers and credential.
    ///   - validators: the validators of this URL.
    static func list(
        _ request: HTTPRequest, isHome: Bool, validators: HTTPValidators?
    ) throws(HTTPError) -> HeaderList {
        var list = HeaderList()
        if isHome { try append(request.headers, credential: request.credential, to: &list) }
        if let body = request.body {
            let hasType = request.headers.contains { name, _ in name.lowercased() == "content-type" }
            if !hasType {
                // libcurl would call an empty body a form.
                if body.isEmpty {
                    try list.suppress("Content-Type")
                } else {
                    try list.append("Content-Type", "application/json")
                }
            }
            // Many servers never confirm that a large body may come.
            try list.suppress("Expect")
        }
        if let etag = validators?.etag, isValue(etag) { try list.append("If-None-Match", etag) }
        if let date = validators?.lastModified, isValue(date) { try list.append("If-Modified-Since", date) }
        return list
    }
}
