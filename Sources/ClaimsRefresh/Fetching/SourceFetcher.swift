// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
public import ClaimsPlatform
public import ClaimsUpstream

/// Fetches all pages of a target, or none, on the calling thread.
///
///     let fetcher = SourceFetcher(spoolDirectory: "/var/cache/claimsd", access: access)
///     let answer = try fetcher.fetch(requests.records, validators: nil, cancellation: HTTPCancellation())
///     for page in answer.pages { page.withBytes { bytes in print(bytes.byteCount) } }
public struct SourceFetcher: Sendable {
    /// The folder of the unnamed files that hold large bodies.
    private let spoolDirectory: String
    private var access: UpstreamAccess
    private let clock: WallClock
    private let sinceBoot: @Sendable () -> UInt64
    /// A PEM file of authorities to trust instead of the system's.
    private let authorities: String?
    private let wait: @Sendable (Duration, HTTPCancellation) -> Bool

    /// - Parameters:
    ///   - sinceBoot: the boot clock, in nanoseconds, which never steps.
    ///   - wait: waits for a time, or until a request is cancelled, and returns whether it is.
    public init(
        spoolDirectory: String, access: UpstreamAccess, clock: WallClock = .system,
        sinceBoot: @escaping @Sendable () -> UInt64 = { SystemClock.sinceBoot }, authorities: String? = nil,
        wait: @escaping @Sendable (Duration, HTTPCancellation) -> Bool = { $1.wait(upTo: $0) }
    ) {
        self.spoolDirectory = spoolDirectory
        self.access = access
        self.clock = clock
        self.sinceBoot = sinceBoot
        self.authorities = authorities
        self.wait = wait
    }

    /// The time since the boot, in milliseconds. It continues while the machine sleeps.
    var uptime: Int64 { Self.uptime(sinceBoot) }

    private static func uptime(_ sinceBoot: () -> UInt64) -> Int64 { Int64(clamping: sinceBoot() / 1_000_000) }

    /// Lets requests to hosts begin.
    public var gate: HostGate { access.gate }

    /// The tokens of all requests.
    var tokens: TokenStore { access.tokens }

    /// The same fetcher, for more or less urgent requests.
    func pressing(_ urgency: HostUrgency) -> SourceFetcher {
        var copy = self
        copy.access = access.pressing(urgency)
        return copy
    }

    /// The same fetcher, whose requests and secrets are recorded.
    public func traced(by trace: RequestTrace) -> SourceFetcher {
        var copy = self
        copy.access = access.traced(by: trace)
        return copy
    }

    /// Makes the requests one after the other, and waits until all have ended.
    ///
    /// - Parameters:
    ///   - validators: the validators of the last answer; nil fetches the answer even if it has not changed.
    ///   - meter: gets the progress of the requests.
    ///   - isMain: whether the target has the records, and not the joined values.
    /// - Throws: the failure of the first request that fails, or of a page that reports a failure; the earlier pages
    ///   are deleted. Its `isCancelled` is true if `cancellation` has ended the request.
    public func fetch(
        _ target: FetchTarget, validators: HTTPValidators?, cancellation: HTTPCancellation,
        meter: RefreshMeter = RefreshMeter(), isMain: Bool = true
    ) throws(FetchFailure) -> FetchedPages {
        if target.url.utf8.prefix(5).elementsEqual("file:".utf8) { return try read(target, meter, isMain: isMain) }
        let client: HTTPClient
        do throws(HTTPError) {
            client = try HTTPClient(spoolDirectory: spoolDirectory, clock: clock, authorities: authorities)
        } catch { throw FetchFailure(.transfer(error), target) }
        var walk = PageWalk(
            target,
            PageWalk.Context(
                access: access, cancellation: cancellation, meter: meter, isMain: isMain,
                uptime: { [sinceBoot] in Self.uptime(sinceBoot) }, now: { [clock] in clock.now() }, wait: wait))
        return try walk.run(client: client, validators: validators)
    }

    private func read(_ target: FetchTarget, _ meter: RefreshMeter, isMain: Bool) throws(FetchFailure) -> FetchedPages {
        let body: FetchedBody
        do throws(HTTPError) {
            body = try FileTransfer.read(target.url, limits: target.limits, spoolDirectory: spoolDirectory)
        } catch { throw FetchFailure(.transfer(error), target) }
        meter.finish(bytes: body.count, isPage: isMain)
        _ = try PageReader(target: target, refusal: access.refusal).read(body)
        return FetchedPages(isNotModified: false, pages: [body], validators: HTTPValidators())
    }
}

extension SourceFetcher {
    /// Walks over the pages of an answer once more, past all caches. This walk has limits of its own.
    ///
    /// - Throws: `late` if a cache has kept a page in spite of that since before the first walk ended, because it may be
    ///   the page of that walk.
    func fetchAgain(
        _ target: FetchTarget, after first: FetchedPages, cancellation: HTTPCancellation,
        meter: RefreshMeter = RefreshMeter()
    ) throws(FetchFailure) -> FetchedPages {
        let second = try fetch(
            target.passingCaches(), validators: nil, cancellation: cancellation, meter: meter)
        // `Age` is in whole seconds, rounded down.
        if let copy = second.oldestCopy, let ended = first.ended, copy.time - 1000 <= ended {
            throw FetchFailure(older: copy.age)
        }
        return second
    }
}
