// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import ClaimsUpstream
import Testing

/// Refresh tokens that a server replaces with each use.
struct RefreshTokenTests {
    /// Takes the refresh token that it gave last, and gives the next.
    private static func rotating(_ current: Monitor<Int>) -> AskedServer.Treatment {
        { request in
            guard request.line.hasPrefix("POST") else { return .answer(200, "[]") }
            guard
                request.body.contains("refresh_token=refresh-\(current.read { $0 })&")
                    || request.body.hasSuffix(
                        "refresh_token=refresh-\(current.read { $0 })")
            else { return .answer(400, #"{"error":"invalid_grant"}"#) }
            let next = current.update { current in
                current += 1
                return current
            }
            return .answer(
                200, #"{"access_token":"t\#(next)","refresh_token":"refresh-\#(next)","expires_in":100}"#)
        }
    }

    private func files(_ fixture: AccessFixture) -> [String] {
        ((try? Directory.list(fixture.folder("tokens"))) ?? []).sorted()
    }

    @Test func `each token that is replaced is on disk, privately, and counts after a restart`() throws {
        let current = Monitor(0)
        let fixture = try AccessFixture(Self.rotating(current))
        let auth = Authentication.oauth2(fixture.tokenRequest(refresh: true))
        _ = try fixture.fetch(auth: auth)
        let file = try #require(files(fixture).first)
        #expect(files(fixture).count == 1)
        #expect(Files.permissions(fixture.folder("tokens/\(file)")) == 0o600)
        #expect(Files.permissions(fixture.folder("tokens")) == 0o700)
        #expect(try fixture.folder.read("tokens/\(file)").contains("refresh-1"))
        fixture.advance(100)
        _ = try fixture.fetch(auth: auth)
        #expect(current.read { $0 } == 2)
        _ = try fixture.fetch(auth: auth, by: fixture.restarted())
        #expect(current.read { $0 } == 3)
        #expect(try fixture.folder.read("tokens/\(file)").contains("refresh-3"))
        #expect(fixture.server.requests.first?.body == "grant_type=refresh_token&refresh_token=refresh-0")
    }

    @Test func `a token belongs to its grant, whatever the parameters are`() throws {
        let current = Monitor(0)
        let fixture = try AccessFixture(Self.rotating(current))
        var request = fixture.tokenRequest(refresh: true)
        _ = try fixture.fetch(auth: .oauth2(request))
        request.parameters = [QueryParameter("scope", ["more"])]
        _ = try fixture.fetch(auth: .oauth2(request))
        #expect(current.read { $0 } == 2)
        #expect(files(fixture).count == 1)
    }

    @Test func `another credential makes the token on disk void`() throws {
        let current = Monitor(0)
        let fixture = try AccessFixture(Self.rotating(current))
        let auth = Authentication.oauth2(fixture.tokenRequest(refresh: true))
        _ = try fixture.fetch(auth: auth)
        try fixture.folder.write("credentials/refresh", "refresh-70")
        current.update { $0 = 70 }
        _ = try fixture.fetch(auth: auth)
        #expect(current.read { $0 } == 71)
        #expect(files(fixture).count == 1)
        _ = try fixture.fetch(auth: auth, by: fixture.restarted())
        #expect(current.read { $0 } == 72)
    }

    @Test func `grants of one token go one at a time`() throws {
        let current = Monitor(0)
        let fixture = try AccessFixture(Self.rotating(current))
        let pool = try WorkerPool(name: "asking", threads: 8)
        let ends = Monitor<[Bool]>([])
        for number in 0..<8 {
            var request = fixture.tokenRequest(refresh: true)
            request.parameters = [QueryParameter("scope", ["\(number)"])]
            let auth = Authentication.oauth2(request)
            pool.post {
                let isGood = (try? fixture.fetch(auth: auth)) != nil
                ends.update { $0.append(isGood) }
            }
        }
        let all = ends.wait(upTo: LineClient.timeout) { $0.count == 8 ? $0 : nil }
        #expect(all == Array(repeating: true, count: 8))
        #expect(current.read { $0 } == 8)
        pool.stop()
    }

    @Test func `without room the token is used, and written once there is some`() throws {
        let current = Monitor(0)
        let fixture = try AccessFixture(Self.rotating(current))
        // A file where the folder should be.
        try fixture.folder.write("tokens", "")
        let auth = Authentication.oauth2(fixture.tokenRequest(refresh: true))
        _ = try fixture.fetch(auth: auth)
        fixture.advance(100)
        _ = try fixture.fetch(auth: auth)
        #expect(current.read { $0 } == 2)
        #expect(fixture.errors.read { $0.contains("written") } == false)
        Files.remove(fixture.folder("tokens"))
        fixture.access.tokens.writeUnwritten()
        #expect(fixture.errors.read { $0.last } == "written")
        _ = try fixture.fetch(auth: auth, by: fixture.restarted())
        #expect(current.read { $0 } == 3)
    }

    @Test func `a token goes with the rows of the last collection that named it`() throws {
        let current = Monitor(0)
        let fixture = try AccessFixture(Self.rotating(current))
        let request = fixture.tokenRequest(refresh: true)
        _ = try fixture.fetch(auth: .oauth2(request))
        let idField = Field(name: "id", type: .id, from: [])
        let source = Source(ReadRequest(url: "https://a.example/", auth: .oauth2(request)))
        let definition = Definition(name: "others", source: source, fields: [idField])
        let tokens = fixture.restarted().tokens
        tokens.removeUnneeded(definitions: [definition], hasRows: { _ in false })
        #expect(files(fixture).count == 1)
        tokens.removeUnneeded(definitions: [], hasRows: { $0 == "things" })
        #expect(files(fixture).count == 1)
        tokens.removeUnneeded(definitions: [], hasRows: { _ in false })
        #expect(files(fixture).isEmpty)
    }

    @Test func `what a crash has left of a write is removed, and a damaged file counts as none`() throws {
        let current = Monitor(0)
        let fixture = try AccessFixture(Self.rotating(current))
        let auth = Authentication.oauth2(fixture.tokenRequest(refresh: true))
        _ = try fixture.fetch(auth: auth)
        let file = try #require(files(fixture).first)
        try fixture.folder.write("tokens/\(file)", "{")
        try fixture.folder.write("tokens/\(file).1234.new", "refresh-9")
        current.update { $0 = 0 }
        _ = try fixture.fetch(auth: auth, by: fixture.restarted())
        #expect(files(fixture) == [file])
    }
}
