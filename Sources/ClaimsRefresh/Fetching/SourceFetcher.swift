// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsAccess
import ClaimsBytes
public import ClaimsHTTP
import ClaimsJSON
import ClaimsModel
public import ClaimsPlatform

/// Fetches all pages of a target, or none, on the calling thread.
///
///     let fetcher = SourceFetcher(spoolDirectory: "/var/cache/claimsd", access: access)
///     let answer = try fetcher.fetch(requests.records, validators: nil, cancellation: HTTPCancellation())
///     for page in answer.pages { page.withBytes { bytes in print(bytes.byteCount) } }
public struct SourceFetcher: Sendable {
    /// The folder of the unnamed files that hold large bodies.
    private let spoolDirectory: String
    private let access: UpstreamAccess
    private let clock: WallClock
    /// A PEM file of authorities to trust instead of the system's.
    private let authorities: String?

    public init(
        spoolDirectory: String, access: UpstreamAccess, clock: WallClock = .system, authorities: String? = nil
    ) {
        self.spoolDirectory = spoolDirectory
        self.access = access
        self.clock = clock
        self.authorities = authorities
    }

    /// Makes the requests one after the other, and waits until all have ended.
    ///
    /// - Parameters:
    ///   - validators: the validators of the last answer; nil fetches the answer even where it has not changed.
    ///   - meter: is told how far the requests are.
    ///   - isMain: whether the target has the records, and not what they are joined with.
    /// - Throws: the failure of the first request that fails; the earlier pages are deleted. Its `isCancelled` is true where
    /// `cancellation` has ended the request.
    public func fetch(
        _ target: FetchTarget, validators: HTTPValidators?, cancellation: HTTPCancellation,
        meter: RefreshMeter = RefreshMeter(), isMain: Bool = true
    ) throws(FetchFailure) -> FetchedPages {
        let limits = HTTPLimits(target.limits)
        if target.url.utf8.prefix(5).elementsEqual("file:".utf8) {
            do throws(HTTPError) {
                let body = try FileTransfer.read(target.url, limits: limits, spoolDirectory: spoolDirectory)
                meter.end(bytes: body.count, isPage: isMain)
                return FetchedPages(isNotModified: false, pages: [body], validators: HTTPValidators())
            } catch { throw FetchFailure(error, target) }
        }
        var request = HTTPRequest(
            url: target.url, headers: target.request.headers.map { ($0.name, $0.value) },
            validators: target.paging == nil ? validators : nil, limits: limits)
        do throws(AccessFailure) {
            let client = try client()
            guard let paging = target.paging else {
                let call = UpstreamAccess.Call(
                    request, auth: target.request.auth, tls: target.request.tls, requester: target.source)
                var budget = RequestBudget(transfer: target.limits.transfer, pause: target.limits.transfer)
                let response = try access.perform(call, client: client, cancellation: cancellation, budget: &budget) {
                    meter.note($0, isLast: isMain)
                }
                meter.end(bytes: response.received, isPage: isMain && !response.isNotModified)
                return FetchedPages(
                    isNotModified: response.isNotModified, pages: response.isNotModified ? [] : [response.body],
                    validators: response.validators, maxAge: response.maxAge.map { Int64($0) * 1000 })
            }
            var walk = PageWalk(paging, target)
            request.url = walk.firstURL
            return try walk.run(request, access: access, client: client, cancellation: cancellation, meter: meter)
        } catch { throw FetchFailure(error, target) }
    }

    private func client() throws(AccessFailure) -> HTTPClient {
        do throws(HTTPError) {
            return try HTTPClient(spoolDirectory: spoolDirectory, clock: clock, authorities: authorities)
        } catch { throw .transfer(error) }
    }
}

extension HTTPLimits {
    fileprivate init(_ limits: TransferLimits) {
        self.init(
            body: limits.body, expansion: limits.expansion, redirects: limits.redirects, connect: limits.connect,
            firstByte: limits.firstByte, total: limits.transfer)
    }
}
