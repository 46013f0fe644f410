// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore

/// `hello`: the daemon, its capabilities, and the roles of the peer.
enum HelloHandler {
    static func answer(
        _ parameters: HelloParameters, from peer: Peer, _ context: RequestContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        try requireVersion(parameters.versions)
        let capabilities = ProtocolVersion.capabilities
        for name in parameters.require?.names ?? [] where !capabilities.contains(name) {
            let list = capabilities.joined(separator: ", ")
            throw RequestError(
                .badParams,
                TranslatedText(en: "this daemon has no capability '\(name)'", pl: "ta usługa nie ma funkcji „\(name)”"),
                hint: TranslatedText(en: "it has \(list)", pl: "jej funkcje to \(list)"),
                details: [RequestError.detail("capability", name)])
        }
        writer.beginObject()
        writer.key(HelloResult.server)
        writer.beginObject()
        writer.member(HelloResult.ServerInfo.name, "claimsd")
        writer.member(HelloResult.ServerInfo.version, context.configuration.version)
        writer.endObject()
        writer.member(HelloResult.version, ProtocolVersion.current)
        writer.member(HelloResult.capabilities, capabilities)
        writer.member(HelloResult.epoch, String(context.served.catalog.revision.epoch, radix: 16))
        writer.key(HelloResult.you)
        write(peer, purpose: parameters.purpose ?? peer.purpose, context.served.seen.known, to: &writer)
        writer.key(HelloResult.limits)
        writer.beginObject()
        for limit in context.configuration.namedLimits {
            writer.key(limit.name)
            writer.integer(limit.value)
        }
        writer.endObject()
        writer.endObject()
        return parameters.purpose.map { .introduced($0) } ?? .answered
    }

    private static func requireVersion(_ range: VersionRange?) throws(RequestError) {
        let current = Int64(ProtocolVersion.current)
        guard let range, !(range.lowest...range.highest).contains(current) else { return }
        throw RequestError(
            HelloParameters.versions,
            TranslatedText(
                en: "this daemon speaks version \(current) of the protocol, not \(range.lowest) to \(range.highest)",
                pl: "ta usługa obsługuje wersję \(current) protokołu, a nie wersje od \(range.lowest) do "
                    + "\(range.highest)"))
    }

    private static func write(_ peer: Peer, purpose: Purpose?, _ known: Catalog, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(HelloResult.PeerInfo.uid, Int64(peer.uid))
        writer.member(HelloResult.PeerInfo.gid, Int64(peer.gid))
        writer.member(HelloResult.PeerInfo.pid, Int64(peer.pid))
        writer.member(HelloResult.PeerInfo.unit, ProcessUnit.name(of: peer.pid))
        writer.member(HelloResult.PeerInfo.roles, peer.roleNames { known[$0] != nil })
        if let purpose { writer.member(HelloResult.PeerInfo.purpose, purpose.text) }
        writer.endObject()
    }
}
