// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// Tokens that end in the middle of a walk, and secrets that are nowhere but on the wire to their origin.
@Suite struct SecretTests {
    private static let walk = #"root: "/items", next: { cursor: "/next", to: "cursor" }"#

    private static func token(_ more: String = "") -> String {
        let fields = #"url: "UPSTREAM/token", client: "plant-7", secret: "erp""#
        return #"url: "UPSTREAM/things", \#(walk), auth: { oauth2: { \#(fields), \#(more) } }"#
    }

    private func site(_ rules: String, _ source: String = token(), page: String = page) throws -> SourceSite {
        let site = try SourceSite(["things": source], credentials: ["erp": "s3cret", "first": "rt-first"])
        try site.upstream.folder.write("things", SourceSite.records(5))
        try site.upstream.giveTokens(rules: #"{"client":"plant-7","secret":"s3cret",\#(rules)}"#)
        try site.upstream.misbehave("things", page)
        try site.daemon.start()
        return site
    }

    private static let page = #"{"fault":"paged","style":"cursor","size":2,"tokens":"/token"}"#
    private static let held = #"{"fault":"paged","style":"cursor","size":2,"tokens":"/token","hold":true}"#

    @Test func `a token that is revoked in the middle of a walk costs one request more`() throws {
        let site = try site(#""send":"basic""#)
        try site.refresh("things")
        try site.upstream.folder.write("things", SourceSite.records(6))
        try site.upstream.forgetRequests()
        try site.upstream.misbehave("things", "[\(Self.page),\(Self.held),\(Self.page),\(Self.page),\(Self.page)]")
        let refresh = try BackgroundCall { try site.refresh("things") }
        try site.upstream.requests("things", count: 2)
        try site.upstream.revokeTokens()
        try site.upstream.release("things")
        #expect(try refresh.result().map { $0["outcome"] } == ["updated"])
        let requests = try site.upstream.requests("things")
        #expect(requests.map(\.query) == ["", "cursor=next%3D2", "cursor=next%3D4", "cursor=next%3D4"])
        #expect(try site.upstream.tokens().given.count == 2)
        #expect(try site.served("things").count == 6)
    }

    @Test func `a token server that is not there does not end a walk whose last page may be missing`() throws {
        let source = Self.token().replacing(Self.walk, with: #"root: "", next: { page: "page", size: 9 }"#)
        let page = #"{"fault":"paged","style":"parameter","size":9,"tokens":"/token"}"#
        let held = #"{"fault":"paged","style":"parameter","size":9,"tokens":"/token","hold":true}"#
        // The pages are the right ones from the start on: `refresh` joins the refresh that a start begins.
        let site = try site(#""send":"basic""#, source, page: page)
        try site.refresh("things")
        #expect(try site.served("things").count == 5)
        try site.upstream.folder.write("things", SourceSite.records(6))
        try site.upstream.forgetRequests()
        try site.upstream.misbehave("things", "[\(held),\(page),\(page)]")
        let refresh = try BackgroundCall { try site.refresh("things", #","force":true"#) }
        try site.upstream.requests("things", count: 1)
        try site.upstream.revokeTokens()
        try site.upstream.misbehave("token", #"{"fault":"status","status":404}"#)
        try site.upstream.release("things")
        let result = try #require(try refresh.result().first)
        #expect(result["outcome"] == "failed", "\(result)")
        let error = try #require(result.at("meta", "last_error"))
        #expect(error["kind"] == "http_status" && error["status"]?.integer == 404, "\(error)")
        #expect(try site.served("things").count == 5)
    }

    @Test func `a token that is refused twice is told as rejected, and the data stays`() throws {
        let site = try site(#""send":"basic""#)
        try site.refresh("things")
        try site.upstream.misbehave("things", #"{"fault":"status","status":401}"#)
        let result = try #require(try site.refresh("things", #","force":true"#).first)
        #expect(result["outcome"] == "failed")
        let error = try #require(result.at("meta", "last_error"))
        #expect(error["kind"] == "credential" && error["reason"] == "rejected" && error["status"]?.integer == 401)
        #expect(try site.served("things").count == 5)
        try site.upstream.misbehave("token", #"{"fault":"status","status":400,"json":{"error":"invalid_scope"}}"#)
        try site.upstream.revokeTokens()
        try site.upstream.misbehave("things", Self.page)
        let refused = try #require(try site.refresh("things", #","force":true"#).first)
        #expect(refused.at("meta", "last_error", "reason") == "invalid_scope")
        try site.upstream.behave("token")
        #expect(try site.refresh("things", #","force":true"#).first?.at("meta", "last_error") == .null)
    }

    @Test func `a secret that a token server tells as its error is in no answer and no line of the journal`() throws {
        let secret = "hush_hush_hush"
        let site = try SourceSite(["things": Self.token()], credentials: ["erp": secret])
        try site.upstream.folder.write("things", SourceSite.records(5))
        try site.upstream.misbehave("token", #"{"fault":"status","status":400,"json":{"error":"\#(secret)"}}"#)
        try site.daemon.start()
        let result = try #require(try site.refresh("things").first)
        let error = try #require(result.at("meta", "last_error"))
        #expect(error["kind"] == "credential" && error["reason"] == "token", "\(error)")
        #expect(!"\(result)".contains(secret), "\(result)")
        let status = try site.daemon.connect().request("status")
        #expect(!"\(status)".contains(secret) && !site.daemon.log.contains(secret), "\(status)\(site.daemon.log)")
    }

    @Test func `a refresh token that was replaced is used after a kill, until its credential changes`() throws {
        let site = try site(
            #""send":"basic","refresh":"rt-first","rotate":true"#, Self.token(#"refresh: "first""#))
        try site.refresh("things")
        let second = try #require(try site.upstream.tokens().refresh)
        #expect(second != "rt-first")
        site.daemon.kill()
        try site.daemon.start()
        #expect(try site.refresh("things", #","force":true"#).first?.at("meta", "last_error") == .null)
        let tokens = try site.upstream.tokens()
        #expect(tokens.given.count == 2 && tokens.refused == 0)

        try site.upstream.revokeTokens(refresh: true)
        let refused = try #require(try site.refresh("things", #","force":true"#).first)
        #expect(refused.at("meta", "last_error", "reason") == "invalid_grant")
        try site.upstream.giveTokens(
            rules: #"{"client":"plant-7","secret":"s3cret","refresh":"rt-anew","rotate":true}"#)
        try site.keepSecret("first", "rt-anew")
        #expect(try site.refresh("things", #","force":true"#).first?.at("meta", "last_error") == .null)
    }

    @Test func `a secret is found nowhere but at its origin`() throws {
        let kinds = ["bearer", "basic", "key", "erp", "first"]
        let credentials = Dictionary(
            uniqueKeysWithValues: kinds.map { name in (name, "\(name)-\(RandomBytes.hexadecimal(12))") })
        let other = try UpstreamProcess(["stolen": SourceSite.records(3)])
        let site = try SourceSite(
            [
                "bearers": #"url: "UPSTREAM/bearers", credential: "bearer""#,
                "basics": #"url: "UPSTREAM/basics", auth: { basic: { user: "plant", password: "basic" } }"#,
                "keys": #"url: "UPSTREAM/keys", auth: { key: { secret: "key", parameter: "api_key" } }"#,
                "tokens": Self.token(#"refresh: "first""#),
            ], credentials: credentials)
        for name in ["bearers", "basics", "keys"] { try site.upstream.folder.write(name, SourceSite.records(3)) }
        try site.upstream.folder.write("things", SourceSite.records(3))
        try site.upstream.giveTokens(
            rules: """
                {"client":"plant-7","secret":"\(credentials["erp"] ?? "")","refresh":"\(credentials["first"] ?? "")",
                 "rotate":true}
                """)
        try site.upstream.misbehave("things", Self.page)
        try site.daemon.start()
        let names = ["bearers", "basics", "keys", "tokens"]
        for name in names { #expect(try site.refresh(name).first?.at("meta", "last_error") == .null, "\(name)") }
        let sent = try names.dropLast().flatMap { name in try site.upstream.requests(name) }
        #expect(sent.contains { $0.headers["authorization"] == "Bearer \(credentials["bearer"] ?? "")" })
        #expect(sent.contains { $0.query == "api_key=\(credentials["key"] ?? "")" })

        // Each way to fail: elsewhere, refused with what was sent, no answer.
        for name in names {
            let path = name == "tokens" ? "things" : name
            let echo = credentials.values.joined(separator: " ")
            for step in [
                #"{"fault":"redirect","location":"\#(other.url("stolen"))"}"#,
                #"{"fault":"status","status":401,"body":"\#(echo)"}"#, #"{"status":200,"body":"\#(echo)"}"#,
                #"{"fault":"close"}"#,
            ] {
                try site.upstream.misbehave(path, step)
                try site.refresh(name, #","force":true"#)
            }
        }
        let elsewhere = try other.requests("stolen")
        #expect(!elsewhere.isEmpty)
        let given = try site.upstream.tokens()
        let all = credentials.values + given.given + [given.refresh ?? ""]
        let plain = try site.daemon.connect()
        let methods = ["status": "{}", "refreshes": "{}", "describe": "{}", "quarantine": #"{"collection":"tokens"}"#]
        let answers = try methods.map { method in
            let answer = try plain.request(method.key, method.value)
            #expect(answer["result"] != nil, "\(answer)")
            return "\(answer)"
        }
        try site.daemon.stop()
        for secret in all {
            let forms = [secret, Base64.encode(Array("plant:\(secret)".utf8))]
            for form in forms {
                #expect(!elsewhere.contains { "\($0)".contains(form) })
                #expect(!answers.contains { $0.contains(form) })
                #expect(!site.daemon.log.contains(form))
                let found = try ControlProgram.run(
                    "/usr/bin/grep", ["-rlF", form] + ["state", "cache"].map { site.daemon.folder($0) })
                let files = found.output.split(separator: "\n")
                // The refresh token in force lies in its own folder, readable to nobody else.
                let allowed = secret == given.refresh ? "/state/tokens/" : "nowhere"
                #expect(files.allSatisfy { $0.contains(allowed) }, "\(files)")
            }
        }
        let folder = site.daemon.folder("state/tokens")
        for name in try Directory.list(folder) {
            #expect(Files.permissions(Paths.join(folder, name)).map { $0 & 0o777 } == 0o600, "\(name)")
        }
    }
}
