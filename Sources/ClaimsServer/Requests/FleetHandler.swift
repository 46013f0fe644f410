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
            writer.key(Address.contact)
            writer.instant(address.contactAt)
            writer.key(Address.error)
            writer.failure(address.failure, language: language)
            writer.member(Address.clockDifference, address.clockDifference)
            writer.endObject()
        }
        writer.endArray()
        writer.key(FleetResult.sources)
        writer.beginArray()
        for source in report?.sources ?? [] where seen.contains(source.id.collection) {
            writer.beginObject()
            writer.member(Source.source, source.id.text)
            writer.member(Source.leader, source.leader)
            writer.member(Source.role, source.role.rawValue)
            writer.key(Source.issuedAt)
            writer.instant(source.issuedAt)
            writer.key(Source.asOf)
            writer.instant(source.asOf)
            writer.key(Source.nextRefresh)
            writer.instant(source.next)
            writer.member(Source.isOverdue, source.isOverdue)
            writer.member(Source.state, source.state)
            writer.member(Source.request, source.request?.rawValue)
            writer.member(Source.definition, source.definition?.rawValue)
            writer.member(Source.access, source.access?.rawValue)
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

    private static func write(_ marks: MarkReport?, language: String, to writer: inout JSONWriter) {
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
