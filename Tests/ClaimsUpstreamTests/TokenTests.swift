// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import ClaimsUpstream
import Synchronization
import Testing

/// Tokens of a real token server, which is the upstream too.
struct TokenTests {
    /// Gives the tokens t1, t2, … and takes those that are not refused.
    private static func treatment(
        _ given: Monitor<Int>, life: String = "3600", refused: Monitor<Set<String>> = Monitor([])
    ) -> AskedServer.Treatment {
        { request in
            guard request.line.hasPrefix("POST /token") else {
                let token = request.header("authorization")?.dropFirst("Bearer ".count) ?? ""
                return refused.read { $0.contains(String(token)) } ? .answer(401) : .answer(200, "[]")
            }
            let number = given.update { given in
                given += 1
                return given
            }
            return .answer(200, #"{"access_token":"t\#(number)","token_type":"Bearer","expires_in":\#(life)}"#)
        }
    }

    private func tokens(_ fixture: AccessFixture) -> [String] {
        fixture.server.requests.filter { $0.line.hasPrefix("GET") }.compactMap { $0.header("authorization") }
    }

    @Test func `a token is asked for once, and renewed a minute before its end`() throws {
        let given = Monitor(0)
        let fixture = try AccessFixture(Self.treatment(given))
        let auth = Authentication.oauth2(fixture.tokenRequest())
        for _ in 0..<3 { _ = try fixture.fetch(auth: auth) }
        fixture.advance(3539)
        _ = try fixture.fetch(auth: auth)
        fixture.advance(1)
        _ = try fixture.fetch(auth: auth)
        #expect(tokens(fixture) == Array(repeating: "Bearer t1", count: 4) + ["Bearer t2"])
        let form = try #require(fixture.server.requests.first)
        #expect(form.line == "POST /token")
        #expect(form.header("authorization") == "Basic cGxhbnQtNzpzM2NyZXQ=")
        #expect(form.header("content-type") == "application/x-www-form-urlencoded")
        #expect(form.body == "grant_type=client_credentials")
    }

    @Test func `a trace has the requests for tokens, and every secret that they carry`() throws {
        let fixture = try AccessFixture(Self.treatment(Monitor(0)))
        let trace = RequestTrace()
        _ = try fixture.fetch(
            auth: .oauth2(fixture.tokenRequest(refresh: true)), by: fixture.access.traced(by: trace))
        #expect(trace.entries.map(\.url) == [fixture.server.url("token"), fixture.server.url("things")])
        #expect(trace.entries.map(\.method) == [.post, .get])
        #expect(trace.entries.map(\.isGood) == [false, true] && trace.entries.allSatisfy { $0.status == 200 })
        #expect(trace.secrets.isSuperset(of: ["s3cret", "refresh-0", "t1"].map { Array($0.utf8) }))
    }

    @Test(arguments: [
        ("60", 29, 30), ("\"120\"", 59, 60), ("1.9", 0, 1), ("0", 3539, 3540), ("null", 3539, 3540),
        ("86400", 86_339, 86_340), ("86401", 3539, 3540), ("\"1h\"", 3539, 3540), ("-5", 3539, 3540),
    ])
    func `the life of a token has bounds`(life: String, good: UInt64, over: UInt64) throws {
        let given = Monitor(0)
        let fixture = try AccessFixture(Self.treatment(given, life: life))
        let auth = Authentication.oauth2(fixture.tokenRequest())
        _ = try fixture.fetch(auth: auth)
        fixture.advance(good)
        _ = try fixture.fetch(auth: auth)
        #expect(given.read { $0 } == 1)
        fixture.advance(over - good)
        _ = try fixture.fetch(auth: auth)
        #expect(given.read { $0 } == 2)
    }

    @Test func `the form has what the definition says`() throws {
        let fixture = try AccessFixture(Self.treatment(Monitor(0)))
        var request = fixture.tokenRequest()
        request.client = "a b:c"
        request.parameters = [QueryParameter("scope", ["read write"]), QueryParameter("resource", ["a", "b&c"])]
        _ = try fixture.fetch(auth: .oauth2(request))
        request.send = .body
        _ = try fixture.fetch(auth: .oauth2(request))
        request.secret = nil
        _ = try fixture.fetch(auth: .oauth2(request))
        let forms = fixture.server.requests.filter { $0.line.hasPrefix("POST") }
        let rest = "scope=read%20write&resource=a&resource=b%26c"
        // "a%20b%3Ac:s3cret"
        #expect(forms[0].header("authorization") == "Basic YSUyMGIlM0FjOnMzY3JldA==")
        #expect(forms[0].body == "grant_type=client_credentials&\(rest)")
        #expect(forms[1].header("authorization") == nil)
        #expect(
            forms[1].body == "grant_type=client_credentials&client_id=a%20b%3Ac&client_secret=s3cret&\(rest)")
        #expect(forms[2].body == "grant_type=client_credentials&client_id=a%20b%3Ac&\(rest)")
    }

    @Test func `other secrets and other requests have tokens of their own`() throws {
        let given = Monitor(0)
        let fixture = try AccessFixture(Self.treatment(given))
        var request = fixture.tokenRequest()
        _ = try fixture.fetch(auth: .oauth2(request))
        try fixture.folder.write("credentials/secret", "newer")
        _ = try fixture.fetch(auth: .oauth2(request))
        request.parameters = [QueryParameter("scope", ["all"])]
        _ = try fixture.fetch(auth: .oauth2(request))
        #expect(given.read { $0 } == 3)
    }

    @Test func `many requests at once ask for one token`() throws {
        let given = Monitor(0)
        let fixture = try AccessFixture(Self.treatment(given))
        let pool = try WorkerPool(name: "asking", threads: 8)
        let done = Monitor(0)
        let auth = Authentication.oauth2(fixture.tokenRequest())
        for _ in 0..<8 {
            pool.post {
                _ = try? fixture.fetch(auth: auth)
                done.update { $0 += 1 }
            }
        }
        #expect(done.wait(upTo: LineClient.timeout) { $0 == 8 ? true : nil } == true)
        #expect(given.read { $0 } == 1)
        #expect(tokens(fixture) == Array(repeating: "Bearer t1", count: 8))
        pool.stop()
    }

    @Test func `after a 401 the request is repeated once, with a newer token`() throws {
        let (given, refused) = (Monitor(0), Monitor<Set<String>>(["t1"]))
        let fixture = try AccessFixture(Self.treatment(given, refused: refused))
        let auth = Authentication.oauth2(fixture.tokenRequest())
        _ = try fixture.fetch(auth: auth)
        #expect(tokens(fixture) == ["Bearer t1", "Bearer t2"])
        refused.update { $0 = ["t2", "t3"] }
        let failure = fixture.failure(auth: auth)
        #expect(failure?.reason == .rejected && failure?.status == 401)
        #expect(tokens(fixture).suffix(2) == ["Bearer t2", "Bearer t3"])
        #expect(given.read { $0 } == 3)
    }

    @Test(arguments: [
        (400, #"{"error":"invalid_client"}"#, "invalid_client"), (401, #"{"error":"Bad Thing"}"#, "token"),
        (403, "no", "token"), (400, #"{"error":"\#(String(repeating: "a", count: 41))"}"#, "token"),
        (200, "[]", "unusable"), (200, "{}", "unusable"), (200, #"{"access_token":"a b"}"#, "unusable"),
        (200, #"{"access_token":"a","token_type":"mac"}"#, "unusable"), (200, "null", "unusable"),
    ])
    func `what a token server says wrong is a failure of the credential`(
        status: Int, body: String, reason: String
    ) throws {
        let fixture = try AccessFixture { _ in .answer(status, body) }
        let failure = fixture.failure(auth: .oauth2(fixture.tokenRequest()))
        #expect(failure?.reason?.rawValue == reason)
        #expect(fixture.server.requests.count == 1)
    }

    @Test(arguments: ["<!DOCTYPE html>", "", #"{"access_token":"t"#])
    func `a good answer of a token server that is not JSON is told as that`(body: String) throws {
        let fixture = try AccessFixture { _ in .answer(200, body) }
        guard case .tokenNotJSON? = fixture.failure(auth: .oauth2(fixture.tokenRequest())) else {
            throw TestFailure("no such failure")
        }
    }

    @Test func `a token server that says nothing is given up at the limit of the first byte`() throws {
        let fixture = try AccessFixture { _ in .silence }
        let auth = Authentication.oauth2(fixture.tokenRequest())
        do throws(AccessFailure) {
            _ = try fixture.fetch(auth: auth) { $0.limits.firstByte = .milliseconds(100) }
        } catch {
            guard case .token(let error, _) = error else { throw TestFailure("\(error)") }
            #expect(error.reason == .timeout(.firstByte))
            return
        }
        Issue.record("no failure")
    }

    @Test func `other failures of a token server keep their kind`() throws {
        let fixture = try AccessFixture { _ in .answer(503, headers: "Retry-After: 7\r\n") }
        let auth = Authentication.oauth2(fixture.tokenRequest())
        let failure = fixture.failure(auth: auth)
        guard case .token(let error, let url)? = failure else {
            Issue.record("\(failure as Any)")
            return
        }
        #expect(error.kind == .httpStatus && error.status == 503 && error.retryAfter == 7)
        #expect(url == fixture.server.url("token"))
        fixture.server.treat { _ in .answer(302, headers: "Location: /other\r\n") }
        guard case .token(let redirect, _)? = fixture.failure(auth: auth) else { throw TestFailure("no failure") }
        #expect(redirect.kind == .redirect)
        fixture.server.treat { _ in .answer(200, String(repeating: " ", count: 70_000)) }
        guard case .token(let large, _)? = fixture.failure(auth: auth) else { throw TestFailure("no failure") }
        #expect(large.kind == .tooLarge)
        #expect(fixture.server.requests.allSatisfy { $0.line == "POST /token" })
    }

    @Test func `a request that waits for another one's token can be cancelled`() throws {
        let fixture = try AccessFixture { _ in .silence }
        let auth = Authentication.oauth2(fixture.tokenRequest())
        let cancellations = [HTTPCancellation(), HTTPCancellation()]
        let ends = Monitor<[Int]>([])
        let pool = try WorkerPool(name: "asking", threads: 2)
        for (index, cancellation) in cancellations.enumerated() {
            pool.post {
                do throws(AccessFailure) {
                    _ = try fixture.fetch(auth: auth, cancellation: cancellation)
                } catch {
                    if error.isCancelled { ends.update { $0.append(index) } }
                }
            }
        }
        try fixture.server.requests(count: 1)
        // One of them asks, the other waits; whoever asks goes on in its place.
        cancellations[0].cancel()
        #expect(ends.wait(upTo: LineClient.timeout) { $0 == [0] ? true : nil } == true)
        cancellations[1].cancel()
        #expect(ends.wait(upTo: LineClient.timeout) { $0 == [0, 1] ? true : nil } == true)
        pool.stop()
    }
}
