// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Kept as a JSON object of its numbers.
extension HeldSummary {
    init(stored text: String) {
        let value = (try? JSONValue.parse(text)) ?? .null
        func number(_ name: String) -> Int { value[name]?.integer.map(Int.init) ?? 0 }
        self.init(
            before: number("before"), after: number("after"), added: number("added"), updated: number("updated"),
            removed: number("removed"), quarantined: number("quarantined"))
    }

    var stored: String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("before", before)
        writer.member("after", after)
        writer.member("added", added)
        writer.member("updated", updated)
        writer.member("removed", removed)
        writer.member("quarantined", quarantined)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
