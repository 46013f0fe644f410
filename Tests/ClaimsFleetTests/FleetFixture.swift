// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport

@testable import ClaimsFleet

/// A key of a leader, made by openssl.
struct OpenSSLKey {
    let folder: TemporaryFolder
    let pem: [UInt8]
    /// The second line of the public key's PEM.
    let publicText: String

    init() throws {
        folder = try TemporaryFolder(prefix: "claims-fleet-key")
        try Self.run(["genpkey", "-algorithm", "ed25519", "-out", folder("key")])
        try Self.run(["pkey", "-in", folder("key"), "-pubout", "-out", folder("public")])
        pem = Array(try folder.read("key").utf8)
        publicText = String(try folder.read("public").split(separator: "\n")[1])
        try FleetLibraries.load()
    }

    var signing: SigningKey { get throws { try SigningKey(pem: pem) } }

    func leader(_ host: String = "desk-a") throws -> FleetDefinition.Leader {
        guard let key = FleetDefinition.PublicKey(publicText) else { throw TestFailure("no key: \(publicText)") }
        return FleetDefinition.Leader(
            host: host, request: ReadRequest(url: "https://\(host).example/north/"), keys: [key])
    }

    /// Runs openssl; throws where it fails.
    static func run(_ arguments: [String]) throws {
        try Self.run("/usr/bin/openssl", arguments)
    }

    static func run(_ program: String, _ arguments: [String]) throws {
        let output = try FileDescriptor.temporary(in: "/tmp")
        let process = try ChildProcess(program, arguments, output: output.raw, error: output.raw)
        guard process.wait() == .exited(0) else { throw TestFailure("\(program) fails: \(arguments)") }
    }
}

/// An entry of a head that says the given times.
func headEntry(
    issuedAt: Int64, asOf: Int64 = 0, next: Int64? = nil, state: String = "s", request: String = "r",
    error: HeadEntry.Fault? = nil, retryAfter: Int64? = nil
) -> HeadEntry {
    HeadEntry(
        issuedAt: issuedAt, asOf: asOf, fullAsOf: nil, state: state,
        manifest: FileReference(sha256: String(repeating: "a", count: 64), size: 12), request: request,
        definition: "d", access: "a", version: "1", error: error, nextRefresh: next, retryAfter: retryAfter)
}
