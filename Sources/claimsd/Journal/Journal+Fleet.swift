// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsFleet
import ClaimsModel
import ClaimsSystemd

extension Journal {
    /// Writes a change in the fleet.
    func log(_ event: FleetEvent) {
        switch event {
        case .leads(let source):
            log.write(
                .notice, "\(Self.name(of: source)): this host asks for the fleet from now on", event: .fleetLeading,
                fields: [.collection(source.collection)])
        case .follows(let source, let host):
            log.write(
                .info, "\(Self.name(of: source)): \(host) asks for the fleet", event: .fleetFollowing,
                fields: [.collection(source.collection), .source(host)])
        case .isHome(let source):
            log.write(
                .notice, "\(Self.name(of: source)): this host is the home of the records", event: .fleetHome,
                fields: [.collection(source.collection)])
        case .isFromHome(let source, let host):
            log.write(
                .info, "\(Self.name(of: source)): the records come from \(host), their home", event: .fleetFromHome,
                fields: [.collection(source.collection), .source(host)])
        case .headRefused(let host, let failure):
            log.write(
                .error, "what \(host) serves for the fleet is refused: \(failure.message.text("en"))",
                event: .fleetHeadRefused, fields: [.source(host), .reason(failure.message.text("en"))])
        case .addressGone(let host, let failure):
            log.write(
                .warning, "the address of \(host) does not answer: \(failure.message.text("en"))",
                event: .fleetAddressGone, fields: [.source(host), .reason(failure.message.text("en"))])
        case .addressBack(let host):
            log.write(
                .notice, "the address of \(host) answers again", event: .fleetAddressBack, fields: [.source(host)])
        case .marksOverruled(let collection, let count):
            log.write(
                .notice, "\(collection): \(count) archive marks of this host do not count, other hosts have later ones",
                event: .marksOverruled, fields: [.collection(collection), .records(count)])
        case .marksWaiting(let count):
            log.write(
                .warning, "\(count) archive marks have been waiting for the database for ten minutes",
                event: .marksWaiting, fields: [.records(count)])
        }
    }

    /// A source as the messages name it.
    static func name(of source: SourceID) -> String {
        source.site.map { "\(source.collection), site \($0)," } ?? source.collection
    }
}
