// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsAccess
import ClaimsHTTP
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform

/// Follows a paged upstream from its first page to its last, under the caps of one transfer.
struct PageWalk {
    /// More pages than this are taken for pages without end.
    static let maxPages = 10_000

    private let paging: Paging
    private let target: FetchTarget
    private var pages: [FetchedBody] = []
    private var visited: Set<String> = []
    private var maxAge: Int64?

    init(_ paging: Paging, _ target: FetchTarget) {
        self.paging = paging
        self.target = target
    }

    var firstURL: String {
        if case .page(.query(let name), _, let from, _) = paging {
            return Self.url(target.url, setting: name, to: "\(from)")
        }
        return target.url
    }

    /// Fetches all pages, each within what is left of the caps.
    mutating func run(
        _ first: HTTPRequest, access: UpstreamAccess, client: borrowing HTTPClient, cancellation: HTTPCancellation,
        meter: RefreshMeter
    ) throws(AccessFailure) -> FetchedPages {
        var budget = RequestBudget(transfer: target.limits.transfer, pause: target.limits.transfer)
        var request = first
        var room = first.limits.body
        while true {
            guard pages.count < Self.maxPages, visited.insert(request.url).inserted else {
                throw .transfer(HTTPError(.malformed, detail: "its pages go on without end"))
            }
            guard budget.transfer > .zero else { throw .transfer(HTTPError(.timeout(.total))) }
            request.limits.body = room
            let call = UpstreamAccess.Call(
                request, auth: target.request.auth, tls: target.request.tls, requester: target.source)
            let response: HTTPResponse
            do throws(AccessFailure) {
                response = try access.perform(call, client: client, cancellation: cancellation, budget: &budget) {
                    meter.note($0, isLast: false)
                }
            } catch {
                // The cap that a person knows is that of all pages together.
                if case .transfer(let error) = error, case .bodyTooLarge = error.reason {
                    throw .transfer(HTTPError(.bodyTooLarge(first.limits.body)))
                }
                throw error
            }
            meter.end(bytes: response.received, isPage: true)
            room -= response.body.count
            pages.append(response.body)
            maxAge = response.maxAge.map { min(maxAge ?? .max, Int64($0) * 1000) } ?? maxAge
            do throws(HTTPError) {
                guard let next = try next(after: response, request) else { break }
                request = next
            } catch { throw .transfer(error) }
        }
        return FetchedPages(isNotModified: false, pages: pages, validators: HTTPValidators(), maxAge: maxAge)
    }

    private func next(after response: HTTPResponse, _ request: HTTPRequest) throws(HTTPError) -> HTTPRequest? {
        switch paging {
        case .link:
            return try response.linkNext.map { link throws(HTTPError) in try request.following(link, from: response) }
        case .pointer(let pointer):
            let link = text(at: pointer, in: response.body)
            return try link.map { link throws(HTTPError) in try request.following(link, from: response) }
        case .page(.query(let name), let size, let from, _):
            guard let count = elements(of: response.body), count >= max(1, size) else { return nil }
            var next = request
            next.home = request.home ?? request.url
            next.url = Self.url(target.url, setting: name, to: "\(from + pages.count)")
            return next
        default: return nil
        }
    }

    /// A string that is not empty; a body that is not JSON is found out when it is read.
    private func text(at pointer: JSONPointer, in body: FetchedBody) -> String? {
        let root = target.root
        return body.withBytes { bytes in
            var tape = JSONTape()
            guard let range = try? JSONElements.locate(pointer, in: bytes, elementsOf: root),
                (try? tape.parse(bytes.extracting(range), depth: 0)) != nil,
                let text = tape.string(0, in: bytes.extracting(range)), !text.isEmpty
            else { return nil }
            return text
        }
    }

    /// How many elements the page's array has; nil for a body that will not do.
    private func elements(of body: FetchedBody) -> Int? {
        let root = target.root
        return body.withBytes { bytes -> Int? in
            guard var elements = try? JSONElements(bytes, root: root) else { return nil }
            var tape = JSONTape()
            var count = 0
            while let element = try? elements.next(into: &tape) {
                _ = element
                count += 1
            }
            return count
        }
    }

    /// The address with one query parameter set, in place of one of that name.
    static func url(_ url: String, setting name: String, to value: String) -> String {
        let fragment = url.firstIndex(of: "#") ?? url.endIndex
        let base = url[..<fragment]
        let mark = base.firstIndex(of: "?") ?? base.endIndex
        var query = base[mark...].dropFirst().split(separator: "&").map(String.init)
        query.removeAll { $0 == name || $0.hasPrefix(name + "=") }
        query.append("\(name)=\(value)")
        return base[..<mark] + "?" + query.joined(separator: "&")
    }
}
