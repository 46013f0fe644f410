// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsFleet
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsStore

/// `fleet`: the hosts that share sources with this one.
enum FleetHandler {
    private typealias Address = FleetResult.Address
    private typealias Source = FleetResult.SharedSource
    private typealias Marks = FleetResult.SharedMarks

    static func answer(
        _ parameters: FleetParameters, from peer: Peer, _ context: RequestContext, to writer: inout JSONWriter
    ) -> Disposition {
        let language = parameters.language ?? context.configuration.language
        let report = context.services.fleet?.report
        let seen = Set(context.services.catalog(for: peer).catalog.views.map(\.definition.name))
        writer.beginObject()
        writer.member(FleetResult.name, report?.name)
        writer.member(FleetResult.host, report?.host ?? "")
        writer.key(FleetResult.addresses)
        writer.beginArray()
        for address in report?.addresses ?? [] {
            writer.beginObject()
            writer.member(Address.host, address.host)
            writer.member(Address.url, address.url)
            writer.member(Address.isOwn, address.isOwn)
            writer.key(Address.readAt)
            writer.instant(address.readAt)
            writer.key(Address.error)
            writer.failure(address.failure, language: language)
            writer.endObject()
        }
        writer.endArray()
        writer.key(FleetResult.sources)
        writer.beginArray()
        for source in report?.sources ?? [] where seen.contains(source.id.collection) {
            writer.beginObject()
            writer.member(Source.collection, source.id.collection)
            if let site = source.id.site { writer.member(Source.site, site) }
            writer.member(Source.leader, source.leader)
            writer.key(Source.asOf)
            writer.instant(source.asOf)
            writer.key(Source.issuedAt)
            writer.instant(source.issuedAt)
            writer.key(Source.nextRefresh)
            writer.instant(source.next)
            writer.key(Source.differs)
            writer.beginArray()
            for name in source.differs { writer.string(name) }
            writer.endArray()
            writer.key(Source.error)
            writer.failure(source.failure, language: language)
            writer.endObject()
        }
        writer.endArray()
        writer.key(FleetResult.marks)
        write(report?.marks, language: language, to: &writer)
        writer.endObject()
        return .answered
    }

    private static func write(_ marks: FleetReport.Marks?, language: String, to writer: inout JSONWriter) {
        guard let marks else { return writer.null() }
        writer.beginObject()
        writer.key(Marks.contact)
        writer.instant(marks.contactAt)
        writer.member(Marks.queued, Int64(marks.queued))
        writer.member(Marks.unshared, Int64(marks.unshared))
        writer.member(Marks.clockDifference, marks.clockDifference)
        writer.key(Marks.error)
        writer.failure(marks.failure, language: language)
        writer.endObject()
    }
}
