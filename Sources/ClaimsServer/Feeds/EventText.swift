// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsProtocol

/// Writes event lines without the number of the subscription, which each connection puts before them.
enum EventText {
    /// Makes the rest of a line: the members of `params` after the number, and the ends of the objects.
    ///
    /// - Parameter body: writes the members of this kind of event.
    static func make(_ kind: EventKind, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(EventNotification.type, kind.rawValue)
        body(&writer)
        writer.endObject()
        writer.endLine()
        // A comma goes where the object begins: the number stands before it.
        var bytes = writer.bytes
        bytes[0] = ASCII.comma
        return bytes
    }
}
