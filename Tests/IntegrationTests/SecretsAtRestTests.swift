// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// Where secrets are after real refreshes and writes: nowhere but on the wire, in credentials, and as refresh tokens.
struct SecretsAtRestTests {
    private static let secrets = ["s3cret-key", "s3cret-word", "s3cret-client", "s3cret-refresh"]
    private let upstream: UpstreamProcess
    private let daemon: DaemonProcess

    init() throws {
        upstream = try UpstreamProcess([
            "keyed.json": #"[{"id":"1","name":"a"}]"#, "basic.json": #"[{"id":"1","name":"a"}]"#,
        ])
        try upstream.keep("docs", #"[{"id":"1","name":"one"}]"#)
        try upstream.giveTokens(
            rules:
                #"{"client":"plant","secret":"s3cret-client","send":"any","refresh":"s3cret-refresh-0","rotate":true}"#)
        try upstream.misbehave("docs", #"[{"tokens":"token"}]"#)
        let fields = "fields: { id: { type: 'id', from: '/id' }, name: { type: 'text', from: '/name' } }"
        daemon = try DaemonProcess(site: [
            "collections.d/keyed.json5":
                "{ source: { url: '\(upstream.url("keyed.json"))', auth: { key: { secret: 'key', parameter: 'api_key' } } }, \(fields) }",
            "collections.d/basic.json5":
                "{ source: { url: '\(upstream.url("basic.json"))', auth: { basic: { user: 'me', password: 'word' } } }, \(fields) }",
            "collections.d/docs.json5": """
            { source: { url: '\(upstream.url("docs"))', auth: { oauth2: {
                url: '\(upstream.url("token"))', client: 'plant', secret: 'client', refresh: 'refresh' } } }, \(fields),
              writes: { to: 'upstream', fields: { name: {} }, update: { url: '\(upstream.url("docs"))/{id}' } } }
            """,
        ])
        for (name, text) in [
            "key": "s3cret-key", "word": "s3cret-word", "client": "s3cret-client", "refresh": "s3cret-refresh-0",
        ] {
            try daemon.configure("credentials/\(name)", text)
            try Files.setPermissions(daemon.folder("config/credentials/\(name)"), 0o600)
        }
    }

    private func refresh(_ client: LineClient, _ name: String) throws -> JSONValue {
        try client.request("refresh", #"{"collection":"\#(name)","wait":true,"force":true}"#)
    }

    /// Waits until the operation is neither queued nor being sent.
    private func wait(_ client: LineClient, _ operation: String) throws -> JSONValue {
        var answer = try client.request("outbox", #"{"action":"wait","ops":["\#(operation)"]}"#)
        // Progress comes before the answer.
        while answer["method"]?.string == "progress" {
            guard let line = try client.receive() else { throw TestFailure("no answer") }
            answer = try JSONValue.parse(line)
        }
        return answer
    }

    /// The files below a folder, but for those in which secrets are at home.
    private func files(_ folder: String) throws -> [String] {
        try Directory.list(folder).flatMap { name -> [String] in
            let path = Paths.join(folder, name)
            if path.hasSuffix("config/credentials") || path.hasSuffix("state/tokens") { return [] }
            return Files.isDirectory(path) ? try files(path) : Files.isRegular(path) ? [path] : []
        }
    }

    @Test func `no file, answer or log has a secret, whatever the upstream does`() throws {
        try daemon.start()
        let client = try daemon.connect()
        var answers = try ["keyed", "basic", "docs"].map { try refresh(client, $0) }
        #expect(
            answers.allSatisfy { $0.at("result", "collections", "0", "meta", "last_error") == .null }, "\(answers)")
        let submitted = try client.request(
            "submit", #"{"collection":"docs","action":"update","id":"1","fields":{"name":"new"}}"#)
        let operation = try #require(submitted["result"]?["op"]?.string)
        answers.append(try wait(client, operation))
        #expect(try upstream.requests("docs/1", count: 1).last?.headers["authorization"]?.hasPrefix("Bearer ") == true)
        #expect(try upstream.requests("keyed.json").last?.query.contains("api_key=s3cret-key") == true)
        for fault in [
            #"{"fault":"status","status":401}"#, #"{"fault":"status","status":500}"#, #"{"fault":"reset"}"#,
            #"{"fault":"redirect","location":"http://localhost:1/?api_key=s3cret-key"}"#,
        ] {
            for name in ["keyed", "basic", "docs"] {
                try upstream.misbehave(name == "docs" ? "docs" : "\(name).json", "[\(fault)]")
                answers.append(try refresh(client, name))
            }
        }
        answers.append(try client.request("status", "{}"))
        answers.append(try client.request("refreshes", #"{"collection":"keyed"}"#))
        let given = try upstream.tokens()
        #expect(!given.given.isEmpty && given.refresh != "s3cret-refresh-0")
        try daemon.stop()
        let forbidden = Self.secrets + given.given + [given.refresh ?? "", "czNjcmV0", "cGxhbnQ6"]
        for text in answers.map({ String(decoding: $0.compactBytes, as: UTF8.self) }) + [daemon.log] {
            for secret in forbidden { #expect(!text.contains(secret), "\(secret) in \(text)") }
        }
        for path in try files(daemon.folder.path) {
            let bytes = try Files.readAll(path, cap: 1 << 28)
            for secret in forbidden {
                let found = unsafe ByteSearch.firstIndex(of: Array(secret.utf8).span.bytes, in: bytes.span.bytes)
                #expect(found == nil, "\(secret) in \(path)")
            }
        }
        let kept = try Directory.list(daemon.folder("state/tokens"))
        #expect(kept.count == 1)
        #expect(try daemon.folder.read("state/tokens/\(kept.first ?? "")").contains(given.refresh ?? "?"))
    }

    @Test func `a rotated refresh token outlives a daemon that is killed`() throws {
        try daemon.start()
        let client = try daemon.connect()
        _ = try refresh(client, "docs")
        daemon.kill()
        try daemon.start()
        let answer = try refresh(daemon.connect(), "docs")
        #expect(answer.at("result", "collections", "0", "outcome")?.string == "unchanged", "\(answer)")
        // A token that was replaced, and then lost, would have been refused.
        #expect(try upstream.tokens().given.count >= 2)
        #expect(try upstream.tokens().refused == 0)
        try daemon.stop()
    }

    @Test func `a token that the upstream ends early costs no refresh`() throws {
        try daemon.start()
        let client = try daemon.connect()
        _ = try refresh(client, "docs")
        try upstream.revokeTokens()
        let answer = try refresh(client, "docs")
        #expect(answer.at("result", "collections", "0", "outcome")?.string == "unchanged", "\(answer)")
        // A write has it renewed as well.
        try upstream.misbehave("docs/*", #"[{"tokens":"token"}]"#)
        try upstream.revokeTokens()
        let submitted = try client.request(
            "submit", #"{"collection":"docs","action":"update","id":"1","fields":{"name":"newer"}}"#)
        let operation = try #require(submitted["result"]?["op"]?.string)
        let state = try wait(client, operation)
        #expect(state.at("result", "operations", "0", "state")?.string == "accepted", "\(state)")
        #expect(try upstream.tokens().given.count >= 3)
        try daemon.stop()
    }
}
