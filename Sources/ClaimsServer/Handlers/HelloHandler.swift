// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore

/// `hello`: who serves, what it can do, and what the peer may do.
enum HelloHandler {
    static func answer(
        _ arguments: borrowing Arguments, _ session: Session, _ context: ServingContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        _ = try arguments.string(.client)
        try checkVersion(arguments)
        let capabilities = ProtocolVersion.capabilities
        for name in try arguments.strings(.require) ?? [] where !capabilities.contains(name) {
            throw RequestError(
                .badParams, "this daemon has no capability '\(name)'",
                hint: "it has " + capabilities.joined(separator: ", "),
                details: [RequestError.detail("capability", name)])
        }
        _ = try arguments.strings(.want)
        writer.beginObject()
        writer.key("server")
        writer.beginObject()
        writer.member("name", "claimsd")
        writer.member("version", context.configuration.version)
        writer.endObject()
        writer.member("protocol", ProtocolVersion.current)
        writer.key("capabilities")
        writer.beginArray()
        for name in capabilities { writer.string(name) }
        writer.endArray()
        writer.member("epoch", String(context.catalog.clock.epoch, radix: 16))
        writer.key("you")
        writePeer(session, to: &writer)
        writer.key("limits")
        writer.beginObject()
        for limit in context.configuration.namedLimits {
            writer.key(limit.name)
            writer.integer(limit.value)
        }
        writer.endObject()
        writer.endObject()
        return .answered
    }

    private static func checkVersion(_ arguments: borrowing Arguments) throws(RequestError) {
        guard arguments.byteCount(.protocol) <= 256 else { throw arguments.mismatch(.protocol) }
        guard let value = arguments.value(.protocol) else { return }
        guard let bounds = value.array, bounds.count == 2, let lowest = bounds[0].integer,
            let highest = bounds[1].integer, lowest <= highest
        else { throw arguments.mismatch(.protocol) }
        let current = Int64(ProtocolVersion.current)
        guard lowest <= current, current <= highest else {
            throw RequestError(
                .badParams, "this daemon speaks version \(current) of the protocol, not \(lowest) to \(highest)",
                details: [RequestError.detail("parameter", "protocol")])
        }
    }

    private static func writePeer(_ session: Session, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("uid", session.peer.uid)
        writer.member("gid", session.peer.gid)
        writer.member("pid", session.peer.pid)
        writer.member("unit", ProcessUnit.name(of: session.peer.pid))
        writer.key("roles")
        writer.beginArray()
        for name in session.roles.names { writer.string(name) }
        writer.endArray()
        writer.endObject()
    }
}
