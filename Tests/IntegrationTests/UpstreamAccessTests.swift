// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsTestSupport
import Testing

/// claims-upstream gives tokens and keeps limits as its help says, so that tests of access can rely on it.
@Suite struct UpstreamAccessTests {
    private let upstream: UpstreamProcess

    init() throws {
        upstream = try UpstreamProcess(["n": "[]"])
    }

    private func ask(_ form: String, basic: String? = nil) throws -> LoopbackHTTP.Answer? {
        var headers = ["Content-Type": "application/x-www-form-urlencoded"]
        if let basic { headers["Authorization"] = "Basic \(Base64.encode(Array(basic.utf8)))" }
        return try LoopbackHTTP.send("POST", "/token", to: upstream.port, headers: headers, body: Array(form.utf8))
    }

    private func status(bearer: String) throws -> Int? {
        try upstream.send("GET", "n", headers: ["Authorization": "Bearer \(bearer)"], json: "")?.status
    }

    @Test func `a token comes for the right secret, and is good until it is revoked`() throws {
        try upstream.giveTokens(rules: #"{"client":"p 7","secret":"a+b","send":"basic","expires_in":60}"#)
        try upstream.misbehave("n", #"{"tokens":"/token"}"#)
        #expect(try ask("grant_type=client_credentials", basic: "p+7:a%2Bb")?.status == 200)
        #expect(try ask("grant_type=client_credentials", basic: "p 7:a+b")?.status == 401)
        let wrong = try ask("grant_type=password", basic: "p+7:a%2Bb")
        #expect(wrong?.status == 400)
        #expect(wrong?.text == #"{"error":"unsupported_grant_type"}"#)
        let tokens = try upstream.tokens()
        #expect(tokens.given.count == 1)
        #expect(tokens.refused == 2)
        #expect(try status(bearer: tokens.given[0]) == 200)
        #expect(try status(bearer: "other") == 401)
        try upstream.revokeTokens()
        #expect(try status(bearer: tokens.given[0]) == 401)
    }

    @Test func `a refresh token is replaced by the next one`() throws {
        try upstream.giveTokens(rules: #"{"send":"body","refresh":"r0","rotate":true,"form":{"scope":"a b"}}"#)
        let form = "grant_type=refresh_token&client_id=client&client_secret=secret"
        #expect(try ask("\(form)&refresh_token=r0")?.text == #"{"error":"invalid_scope"}"#)
        let answer = try ask("\(form)&scope=a+b&refresh_token=r0")
        let next = try #require(JSONValue.parse(answer?.body ?? [])["refresh_token"]?.string)
        #expect(try ask("\(form)&scope=a+b&refresh_token=r0")?.text == #"{"error":"invalid_grant"}"#)
        #expect(try upstream.tokens().refresh == next)
        try upstream.misbehave("token", #"[{"fault":"close"},{"fault":"close_mid_body"}]"#)
        #expect(try ask("\(form)&scope=a+b&refresh_token=\(next)") == nil)
        #expect(try upstream.tokens().refresh == next)
        #expect(try ask("\(form)&scope=a+b&refresh_token=\(next)") == nil)
        #expect(try upstream.tokens().refresh != next)
        try upstream.revokeTokens(refresh: true)
        #expect(try upstream.tokens().refresh == nil)
    }

    @Test func `a token's life, type and answer are as asked for`() throws {
        try upstream.giveTokens(
            rules: #"{"send":"none","life_ms":0,"expires_in":null,"answer":{"token_type":"mac","x":1}}"#)
        try upstream.misbehave("n", #"{"tokens":"/token"}"#)
        let answer = try ask("grant_type=client_credentials&client_id=client")
        let body = try JSONValue.parse(answer?.body ?? [])
        #expect(body["expires_in"] == nil)
        #expect(body["token_type"] == "mac")
        #expect(try status(bearer: body["access_token"]?.string ?? "") == 401)
    }

    @Test func `a key in the query may be needed`() throws {
        try upstream.misbehave("n", #"{"require_query":{"key":"a b"}}"#)
        #expect(try upstream.send("GET", "n?key=a%20b", json: "")?.status == 200)
        #expect(try upstream.send("GET", "n?key=ab", json: "")?.status == 401)
    }

    @Test func `requests beyond a limit are refused, and each answer says what is left`() throws {
        try upstream.limit("*", #"{"rate":2,"window_ms":3600000,"headers":"X-RateLimit-","retry_after":"7"}"#)
        let answers = try (0..<3).map { _ in try upstream.send("GET", "n", json: "") }
        #expect(answers.map { $0?.status } == [200, 200, 429])
        #expect(answers.map { $0?.headers["x-ratelimit-remaining"] } == ["1", "0", "0"])
        #expect(answers[2]?.headers["retry-after"] == "7")
        let reset = try #require(answers[2]?.headers["x-ratelimit-reset"].flatMap { Int($0) })
        #expect((1...3600).contains(reset))
        try upstream.endLimits()
        #expect(try upstream.send("GET", "n", json: "")?.status == 200)
        try upstream.limit("n", #"{"rate":0,"headers":"RateLimit-","reset":"epoch"}"#)
        let epoch = try upstream.send("GET", "n", json: "")
        #expect((epoch?.headers["ratelimit-reset"].flatMap { Int($0) } ?? 0) > 1_000_000_000)
        #expect(epoch?.headers["date"]?.hasSuffix("GMT") == true)
    }

    @Test func `the log tells how many requests were under way at once`() throws {
        try upstream.misbehave("n", #"{"hold":true}"#)
        let calls = try (0..<3).map { _ in
            try BackgroundCall { try self.upstream.send("GET", "n", json: "")?.status }
        }
        try upstream.requests("n", count: 3)
        try upstream.release("n")
        for call in calls { #expect(try call.result() == 200) }
        try upstream.behave()
        _ = try upstream.send("GET", "n", json: "")
        let requests = try upstream.requests("n", count: 4)
        #expect(requests.maxAtOnce == 3)
        #expect(requests.maxBegun(within: 3_600_000) == 4)
    }

    @Test(.enabled(if: SecureFront.isInstalled, "needs openssl and python3"))
    func `a secure front shows its certificate, and asks for the client's`() throws {
        let authority = try CertificateAuthority()
        let server = try authority.issue("server")
        let client = try authority.issue("plant")
        let front = try SecureFront(to: upstream.port, server, clients: authority)
        let base = ["-s", "-o", "/dev/null", "-w", "%{http_code}", front.url("n"), "--cacert", authority.root.path]
        let curl = { (more: [String]) in try ControlProgram.run("/usr/bin/curl", base + more).output }
        #expect(try curl(["--cert", client.path, "--key", client.keyPath]) == "200")
        #expect(try front.nextClient() == "plant")
        #expect(try curl([]) == "000")
        #expect(try front.nextClient() == "?")
        let blunt = try SecureFront(to: upstream.port, server, clients: authority, refusal: .hangUp)
        #expect(try ControlProgram.run("/usr/bin/curl", ["-s", blunt.url("n"), "-k"]).code != 0)
        #expect(try blunt.nextClient() == "-")
    }
}
