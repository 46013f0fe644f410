// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsTestSupport

@testable import ClaimsRefresh
@testable import ClaimsStore

/// Sites of the collection `things`, each a file of the upstream.
enum SiteFixture {
    /// An address at which nobody listens.
    static let deadAddress = "http://127.0.0.1:1/dead"

    static func sites(
        _ names: [String], dead: Set<String> = [], of upstream: UpstreamProcess
    ) throws -> SiteList {
        SiteList(
            field: 4,
            sites: try names.map { name in
                let url = dead.contains(name) ? deadAddress : upstream.url("\(name).json")
                return Site(name, ReadRequest(url: url, root: try JSONPointer("")))
            })
    }

    /// Records with these numbers as ids.
    static func records(_ ids: some Sequence<Int>, name: String = "n") -> String {
        "[" + ids.map { #"{"id":\#($0),"name":"\#(name)"}"# }.joined(separator: ",") + "]"
    }

    static func make(
        _ names: [String], dead: Set<String> = [], after other: RefreshFixture? = nil,
        files: [String: String] = [:]
    ) throws -> RefreshFixture {
        let fixture = try RefreshFixture(after: other) { source, upstream in
            source.request.url = nil
            source.sites = try sites(names, dead: dead, of: upstream)
        }
        for (name, body) in files { try fixture.serve(body, as: name) }
        return fixture
    }
}

extension RefreshFixture {
    /// The ids that are served, in order.
    var ids: [String] {
        guard let records = view?.committed else { return [] }
        return records.rowsByID.map { String(decoding: records.idBytes($0), as: UTF8.self) }.sorted()
    }

    /// Refreshes all sources at once, and waits for their ends.
    @discardableResult
    func refreshAll(_ options: RefreshOptions = RefreshOptions()) throws -> [String: RefreshReport] {
        let ended = Monitor<[String: RefreshReport]>([:])
        let sources = view?.definition.sources ?? []
        for source in sources {
            let answer = refresher.refresh(source, options) { report in
                ended.update { $0[source.site ?? ""] = report }
            }
            guard answer == .started || answer == .joined else { throw TestFailure("not begun: \(answer)") }
        }
        guard ended.wait(upTo: LineClient.timeout, { $0.count == sources.count ? true : nil }) == true else {
            throw TestFailure("the refreshes do not end")
        }
        return ended.read { $0 }
    }

    func row(_ site: String) -> SourceRow? { view?.condition.source(of: site) }

    /// Puts other sites in force, as a reload of the daemon does.
    func reload(sites names: [String], dead: Set<String> = []) throws {
        let upstream = upstream
        try reload { source in
            source.request.url = nil
            source.sites = try SiteFixture.sites(names, dead: dead, of: upstream)
        }
    }
}
