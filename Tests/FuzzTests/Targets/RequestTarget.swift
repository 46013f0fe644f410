// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsProtocol

/// A line on the socket: each parameter is read as every type there is, and every refusal is one line of JSON.
enum RequestTarget {
    static func check(_ input: [UInt8]) throws {
        var tape = JSONTape()
        guard (try? tape.parse(input.rawSpan, from: 0, depth: 64)) != nil else { return }
        do {
            let envelope = try RequestEnvelope(tape, input.rawSpan)
            var id: [UInt8] = []
            tape.appendSource(envelope.id, in: input.rawSpan, to: &id)
            try check(refusals(tape, input, envelope), id: id)
        } catch let failure as RequestEnvelope.Failure {
            var id: [UInt8] = []
            if let node = failure.id { tape.appendSource(node, in: input.rawSpan, to: &id) }
            try check([failure.error], id: id.isEmpty ? nil : id)
        }
    }

    /// The error where the parameters are not those of the method.
    private static func refusals(_ tape: JSONTape, _ input: [UInt8], _ envelope: RequestEnvelope) -> [RequestError] {
        var refusals: [RequestError] = []
        do throws(RequestError) {
            let arguments = try Arguments(tape, input.rawSpan, object: envelope.params, method: envelope.method)
            try envelope.method.description.check(arguments)
        } catch {
            refusals.append(error)
        }
        return refusals
    }

    private static func check(_ refusals: [RequestError], id: [UInt8]?) throws {
        for refusal in refusals {
            let line = refusal.line(id: id, in: "pl")
            try FuzzFinding.unless(line.last == 0x0A && !line.dropLast().contains(0x0A), "a refusal of two lines")
            do { try JSONValidator.validate(line.rawSpan, depth: 64) } catch {
                throw FuzzFinding("a refusal that is not JSON: \(error.message)")
            }
        }
    }
}
