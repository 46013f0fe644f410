// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport

/// Publishes editions of a collection, good ones and others, and has them fetched, until the daemon is killed.
struct Publisher {
    let collection: ServedCollection
    let upstream: UpstreamProcess
    let findings: Findings

    /// Returns when the connection ends.
    func work(_ daemon: DaemonProcess, seed: UInt64) {
        daemon.takeSteps(seed: seed, step)
    }

    private func step(_ client: LineClient, _ chance: inout SeededGenerator) throws {
        var kind = Edition.Kind.whole
        if chance.oneIn(3) { kind = Edition.Kind.allCases.randomElement(using: &chance) ?? .whole }
        let isAccepted = kind == .small && chance.oneIn(2)
        if isAccepted || !chance.oneIn(8) { try collection.publish(kind) }
        if chance.oneIn(10) { try upstream.misbehave(collection.file, #"[{"fault":"status","status":503}]"#) }
        if chance.oneIn(10) { try upstream.misbehave(collection.file, #"[{"fault":"reset_mid_body"}]"#) }
        let before = collection.seen
        let answer = try client.request(
            "refresh",
            """
            {"collection":"\(collection.name)","wait":\(isAccepted || !chance.oneIn(4)),"force":\(chance.oneIn(2)),\
            "accept":\(isAccepted)}
            """)
        guard let report = answer.at("result", "collections", "0") else {
            return findings.add("\(collection.name): \(String(decoding: answer.compactBytes, as: UTF8.self))")
        }
        if let meta = report["meta"] { collection.note(meta, after: before) }
    }
}
