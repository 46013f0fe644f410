// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsUpstream

/// Follows an upstream from its first page to its last, under the caps of one transfer.
///
/// ``PageSequence`` decides the next request, and ``PageRetry`` whether a page is asked for again.
struct PageWalk: ~Copyable {
    private let target: FetchTarget
    private let reader: PageReader
    private let context: Context
    private var sequence: PageSequence?
    private var budget: RequestBudget
    /// The size in bytes that the bodies of the walk may still have, all together.
    private var room: Int
    /// When the last request began, in milliseconds since the boot.
    private var askedAt: Int64 = 0
    private var result = FetchedPages(isNotModified: false, pages: [], validators: HTTPValidators())

    /// The means of a walk.
    struct Context {
        let access: UpstreamAccess
        let cancellation: HTTPCancellation
        let meter: RefreshMeter
        /// Whether the pages have the records, and not the joined values.
        let isMain: Bool
        /// The time since the boot, in milliseconds.
        let uptime: @Sendable () -> Int64
        /// The time since 1970, in milliseconds.
        let now: @Sendable () -> Int64
        /// Waits for a time, or until the walk is cancelled; whether it is.
        let wait: @Sendable (Duration, HTTPCancellation) -> Bool
    }

    init(_ target: FetchTarget, _ context: Context) {
        self.target = target
        self.context = context
        reader = PageReader(target: target, refusal: context.access.refusal)
        budget = RequestBudget(transfer: target.limits.transfer, pause: target.limits.pause)
        room = target.limits.body
    }

    /// Fetches all pages, or none.
    ///
    /// - Parameter validators: the validators of the last answer; nil for all pages even if nothing has changed.
    mutating func run(
        client: borrowing HTTPClient, validators: HTTPValidators?
    ) throws(FetchFailure) -> FetchedPages {
        var request = target.firstRequest()
        if let paging = target.paging {
            let sequence = PageSequence(
                paging, maxPages: target.limits.pages, address: request.url, isMain: context.isMain)
            if let value = sequence.first { request = target.firstRequest([value]) }
            self.sequence = sequence
        } else {
            request.validators = validators
        }
        while let page = try page(request, client) {
            guard let next = try accept(page, request) else { break }
            request = next
        }
        result.ended = context.uptime()
        return result
    }

    /// Fetches one page. It is tried again if another attempt may succeed; nil if there is no such page.
    private mutating func page(
        _ request: HTTPRequest, _ client: borrowing HTTPClient
    ) throws(FetchFailure) -> HTTPResponse? {
        var retry = PageRetry()
        while true {
            let failure: FetchFailure
            do throws(AccessFailure) { return try perform(request, client) } catch {
                if error.isMissingPage, let end = sequence?.endWithoutPage {
                    result.end = end
                    return nil
                }
                failure = FetchFailure(error, target)
            }
            guard !result.pages.isEmpty, let wait = retry.wait(after: failure), wait <= budget.pause,
                budget.transfer > .zero
            else { throw failure }
            budget.pause -= wait
            context.meter.wait(hostWait(wait, after: failure, request.url))
            defer { context.meter.wait(nil) }
            if context.wait(wait, context.cancellation) {
                throw FetchFailure(.transfer(HTTPError(.cancelled)), target)
            }
        }
    }

    /// The wait before a request is made again; nil if it is too short to be reported.
    private func hostWait(_ wait: Duration, after failure: FetchFailure, _ url: String) -> HostWait? {
        guard wait.wholeNanoseconds >= HostWait.minReported, let host = try? HTTPURL(url).host else { return nil }
        return HostWait(
            host: host, reason: failure.status == 429 ? .floor : .retry,
            until: context.now() + Int64(clamping: wait.wholeNanoseconds / 1_000_000))
    }

    private mutating func perform(
        _ request: HTTPRequest, _ client: borrowing HTTPClient
    ) throws(AccessFailure) -> HTTPResponse {
        guard budget.transfer > .zero else { throw .transfer(HTTPError(.timeout(.transfer))) }
        var request = request
        request.limits.body = room
        var call = UpstreamAccess.Call(
            request, auth: target.request.auth, tls: target.request.tls, requester: target.source)
        call.onWait = { [meter = context.meter] in meter.wait($0) }
        let (meter, isLast) = (context.meter, context.isMain && sequence == nil)
        askedAt = context.uptime()
        do throws(AccessFailure) {
            let response = try context.access.perform(
                call, client: client, cancellation: context.cancellation, budget: &budget
            ) { meter.record($0, isLast: isLast) }
            meter.finish(bytes: response.received, isPage: context.isMain && !response.isNotModified)
            return response
        } catch {
            // The limit that a person knows is the one for all pages together.
            if case .transfer(let error) = error, case .bodyTooLarge = error.reason {
                throw .transfer(HTTPError(.bodyTooLarge(target.limits.body), status: error.status))
            }
            throw error
        }
    }

    /// Accepts a page, and returns the request for the next one; nil at the end.
    private mutating func accept(
        _ response: HTTPResponse, _ request: HTTPRequest
    ) throws(FetchFailure) -> HTTPRequest? {
        if response.isNotModified {
            result.isNotModified = true
            result.record(response, askedAt: askedAt, isWhole: true)
            return nil
        }
        room -= response.body.count
        var facts = try reader.read(response.body, link: response.linkNext)
        guard sequence != nil else {
            // The answer to a POST has no validators.
            result.append(response, askedAt: askedAt, isWhole: target.request.method == .get)
            return nil
        }
        var following: HTTPRequest?
        if case .text(let address) = facts.address, !address.isEmpty {
            do throws(HTTPError) { following = try request.following(address, from: response) } catch {
                throw FetchFailure(.transfer(error), target)
            }
            if let following { facts.address = .text(following.url) }
        }
        let step: PageSequence.Step?
        do throws(PagingFault) { step = try sequence?.step(after: facts) } catch { throw FetchFailure(error) }
        if step == .endBefore { return nil }
        result.append(response, askedAt: askedAt, isWhole: false)
        return switch step {
        case .address: following
        case .value(let value): target.firstRequest([value])
        case .end, .endBefore, nil: nil
        }
    }
}

extension AccessFailure {
    /// Whether the upstream itself answers that there is no such page. Such an answer of a token server does not
    /// concern a page.
    fileprivate var isMissingPage: Bool {
        if case .transfer(let error) = self { error.reason == .status && error.status == 404 } else { false }
    }
}

/// Decides whether a page of a walk is asked for again, and when. Pure.
struct PageRetry {
    /// A page is asked for again so often at most.
    static let maxAttempts = 3

    private var attempts = 0

    /// The time before the page is asked for again; nil if it is not.
    mutating func wait(after failure: FetchFailure) -> Duration? {
        guard Self.mayPass(failure), attempts < Self.maxAttempts else { return nil }
        attempts += 1
        if let demand = failure.retryAfter { return .milliseconds(demand) }
        return .seconds(1 << (attempts - 1))
    }

    /// Whether the same request may succeed soon.
    private static func mayPass(_ failure: FetchFailure) -> Bool {
        if failure.isCancelled { return false }
        return switch failure.kind {
        case .unreachable, .truncated: true
        case .timeout: failure.reason != .pause
        case .httpStatus: failure.status == 429 || (500...599).contains(failure.status ?? 0)
        default: false
        }
    }
}
