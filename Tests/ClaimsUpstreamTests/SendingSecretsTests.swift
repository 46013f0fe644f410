// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import ClaimsUpstream
import Testing

/// Where secrets go, and where they do not.
struct SendingSecretsTests {
    private static let all: [Authentication] = [
        .bearer("secret"), .basic(user: "me", password: "secret"),
        .key("secret", .header(name: "X-Key", prefix: "Key ")),
        .key("secret", .parameter("api key")),
    ]

    private func fixture(_ treatment: @escaping AskedServer.Treatment = { _ in .answer(200, "[]") }) throws
        -> AccessFixture
    { try AccessFixture(treatment) }

    @Test func `each kind of secret is sent as it should be`() throws {
        let fixture = try fixture()
        for auth in Self.all { _ = try fixture.fetch("things?a=1", auth: auth) }
        let requests = fixture.server.requests
        #expect(requests[0].header("authorization") == "Bearer s3cret")
        #expect(requests[1].header("authorization") == "Basic bWU6czNjcmV0")
        #expect(requests[2].header("x-key") == "Key s3cret")
        #expect(requests.map(\.line).prefix(3).allSatisfy { $0 == "GET /things?a=1" })
        #expect(requests[3].line == "GET /things?a=1&api%20key=s3cret")
        #expect(requests[3].header("authorization") == nil)
        _ = try fixture.fetch(auth: Self.all[3])
        #expect(fixture.server.requests.last?.line == "GET /things?api%20key=s3cret")
    }

    @Test func `a file that was replaced counts for the next request`() throws {
        let fixture = try fixture()
        _ = try fixture.fetch(auth: .bearer("secret"))
        try fixture.folder.write("credentials/secret", "newer")
        _ = try fixture.fetch(auth: .bearer("secret"))
        #expect(fixture.server.requests.last?.header("authorization") == "Bearer newer")
    }

    @Test func `a secret goes to its origin, and not where that leads`() throws {
        let other = try AskedServer { _ in .answer(200, "[]") }
        for auth in Self.all {
            let target = other.url("away?x=1&api%20key=s3cret")
            let fixture = try fixture { _ in .answer(302, headers: "Location: \(target)\r\n") }
            let response = try fixture.fetch(auth: auth)
            #expect(response.effectiveURL.hasSuffix("/away?x=1") || auth.parameter == nil)
        }
        for (request, auth) in zip(other.requests, Self.all) {
            #expect(!request.headers.contains { $0.contains("s3cret") || $0.contains("czNjcmV0") })
            // A parameter that a server has put there is not ours, unless it has our name.
            #expect(!request.line.contains("s3cret") || auth.parameter == nil)
        }
    }

    @Test func `a redirect within the origin brings the secret once`() throws {
        let fixture = try fixture { request in
            request.line.hasPrefix("GET /things")
                ? .answer(307, headers: "Location: /moved?page=2&api%20key=s3cret\r\n") : .answer(200, "[]")
        }
        let response = try fixture.fetch(auth: Self.all[3])
        #expect(fixture.server.requests.last?.line == "GET /moved?page=2&api%20key=s3cret")
        #expect(response.effectiveURL == fixture.server.url("moved?page=2"))
        #expect(response.validators.url == fixture.server.url("moved?page=2"))
    }

    @Test func `a secret that is refused is told as such, and only by its origin`() throws {
        let refusing = try fixture { _ in .answer(401) }
        for auth in Self.all {
            let failure = refusing.failure(auth: auth)
            #expect(failure?.reason == .rejected && failure?.status == 401, "\(auth)")
        }
        #expect(refusing.failure()?.reason == nil)
        #expect(refusing.failure()?.status == 401)
        let leading = try fixture { _ in
            .answer(302, headers: "Location: \(refusing.server.url("elsewhere"))\r\n")
        }
        let failure = leading.failure(auth: Self.all[0])
        #expect(failure?.reason == nil && failure?.status == 401)
        // Another refusal says nothing about who asks.
        refusing.server.treat { _ in .answer(403) }
        #expect(refusing.failure(auth: Self.all[0])?.reason == nil)
    }

    @Test(arguments: ["", "a b", "a\nb", "ż"])
    func `nothing is sent with a secret that a header cannot hold`(secret: String) throws {
        let fixture = try fixture()
        try fixture.folder.write("credentials/secret", secret)
        #expect(fixture.failure(auth: .bearer("secret"))?.reason == .unusable)
        #expect(fixture.failure(auth: .bearer("other"))?.reason == .missing)
        if secret.isEmpty || secret.contains("\n") {
            #expect(fixture.failure(auth: Self.all[2])?.reason == .unusable)
        }
        #expect(fixture.server.requests.isEmpty)
    }

    @Test func `no description of a failure or a secret has the secret`() throws {
        let fixture = try fixture { _ in .hangUp }
        for auth in Self.all {
            let failure = fixture.failure(auth: auth)
            #expect(failure != nil && !"\(failure as Any)".contains("s3cret"))
        }
        let secrets = RequestSecrets(credential: .bearer("s3cret"))
        #expect(!"\(secrets) \(String(reflecting: secrets))".contains("s3cret"))
    }

    @Test func `authorities without a certificate are told before anything is sent`() throws {
        let fixture = try fixture()
        #expect(fixture.failure(tls: TLSOptions(ca: .credential("secret")))?.reason == .unusable)
        #expect(fixture.failure(tls: TLSOptions(ca: .file(fixture.folder("none.pem"))))?.reason == .unusable)
        #expect(fixture.failure(tls: TLSOptions(certificate: "missing"))?.reason == .missing)
        #expect(fixture.server.requests.isEmpty)
    }
}
