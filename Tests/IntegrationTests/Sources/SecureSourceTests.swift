// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// A real daemon whose upstream asks for a certificate.
@Suite(.enabled(if: SecureFront.isInstalled, "needs openssl and python3")) struct SecureSourceTests {
    private let authority: CertificateAuthority
    private let upstream: UpstreamProcess
    private let front: SecureFront

    init() throws {
        authority = try CertificateAuthority()
        upstream = try UpstreamProcess(["things.json": SourceSite.records(3)])
        front = try SecureFront(to: upstream.port, try authority.issue("server"), clients: authority)
    }

    /// A daemon with collections of these `tls`, and credentials by name.
    private func site(_ tls: [String: String], _ credentials: [String: String]) throws -> SourceSite {
        let url = front.url("things.json")
        let sources = tls.mapValues { #"url: "\#(url)", tls: { ca: "\#(authority.root.path)", \#($0) }"# }
        let site = try SourceSite(sources, credentials: credentials, upstream: upstream)
        try site.daemon.start()
        return site
    }

    @Test func `a source is read over TLS with the certificate of the daemon, and its secret is nowhere`() throws {
        let client = try authority.issue("plant")
        let key = try Files.readText(client.keyPath, cap: 1 << 16)
        let site = try site(
            ["things": #"certificate: "cert", key: "key""#], ["cert": try client.text, "key": key])
        #expect(try site.refresh("things").first?["outcome"] != "failed")
        #expect(try site.served("things").count == 3)
        #expect(try front.nextClient() == "plant")
        let secret = Array(key.split(separator: "\n")[1].utf8)
        for folder in ["state", "cache"] {
            for name in try Directory.list(site.daemon.folder(folder)) {
                let path = Paths.join(site.daemon.folder(folder), name)
                guard !Files.isDirectory(path) else { continue }
                let bytes = try Files.readAll(path, cap: 1 << 26)
                #expect(bytes.firstRange(of: secret) == nil, "\(name)")
            }
        }
        // Another key is read for the next request. It does not fit, so that nothing is sent.
        try site.keepSecret("key", try Files.readText(authority.issue("other").keyPath, cap: 1 << 16))
        try upstream.forgetRequests()
        let result = try #require(try site.refresh("things", #","force":true"#).first)
        let error = try #require(result.at("meta", "last_error"))
        #expect(error["kind"] == "credential" && error["reason"] == "unusable", "\(error)")
        #expect(try upstream.requests("things.json").count == 0 && site.served("things").count == 3)
    }

    @Test func `a daemon without a certificate, or with one of strangers, is told so`() throws {
        let other = try CertificateAuthority()
        let stranger = try other.issue("stranger")
        let site = try site(
            ["bare": "", "strange": #"certificate: "cert", key: "key""#],
            ["cert": try stranger.text, "key": try Files.readText(stranger.keyPath, cap: 1 << 16)])
        for name in ["bare", "strange"] {
            let result = try #require(try site.refresh(name, #","force":true"#).first)
            let error = try #require(result.at("meta", "last_error"))
            #expect(error["kind"] == "tls" && error["reason"] == "client_certificate", "\(name): \(error)")
        }
        #expect(try upstream.requests("things.json").count == 0)
    }
}
