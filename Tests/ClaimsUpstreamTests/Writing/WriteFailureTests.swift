// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import ClaimsUpstream
import Glibc
import Synchronization
import Testing

/// Whether a byte of the request left decides whether the outbox may send it again.
struct WriteFailureTests {
    @Test func `nothing leaves for a closed port or an unknown host`() throws {
        let fixture = try WriteFixture()
        let (listener, port) = try LoopbackSocket.silentListener()
        listener.shutDown()
        #expect(fixture.send { $0.url = "http://127.0.0.1:\(port)/" }.unsent?.reason == .unreachable)
        #expect(fixture.send { $0.url = "http://nobody.invalid/" }.unsent?.reason == .unknownHost)
    }

    @Test(arguments: ["", "/path", "ftp://host/", "http://user@host/", "http://host/a b"])
    func `nothing leaves for what is no URL`(url: String) throws {
        #expect(try WriteFixture().send { $0.url = url }.unsent?.reason == .invalidURL)
    }

    @Test(arguments: [
        ("X-A", "b\r\nX-C: d"), ("X A", "b"), ("Content-Length", "5"), ("transfer-encoding", "chunked"),
        ("Expect", "100-continue"), ("Connection", "keep-alive"),
    ])
    func `nothing leaves with a header that would break the request`(name: String, value: String) throws {
        #expect(try WriteFixture().send { $0.headers = [(name, value)] }.unsent?.reason == .other)
    }

    @Test(arguments: ["", "two words", "line\n"])
    func `nothing leaves with a credential that cannot be sent`(credential: String) throws {
        #expect(try WriteFixture().send { $0.credential = .bearer(credential) }.unsent?.reason == .credential)
    }

    @Test func `nothing leaves where a file is missing, is no file or has another size or other bytes`() throws {
        let fixture = try WriteFixture()
        let path = try fixture.folder.write("file", [1, 2, 3])
        unsafe mkfifo(fixture.folder("pipe"), 0o600)
        for content in [
            HTTPContent.file(path: path, size: 2), .file(path: path, size: 4),
            .file(path: fixture.folder("missing"), size: 3), .file(path: fixture.folder.path, size: 0),
            .file(path: fixture.folder("pipe"), size: 0),
            .file(path: path, size: 3, sha256: SHA256.hexadecimal(of: [1, 2, 4].rawSpan)),
        ] {
            #expect(fixture.send(body: .content(content)).unsent?.reason == .file)
            let parts = [HTTPPart(name: "record", content: .bytes([1])), HTTPPart(name: "file", content: content)]
            #expect(fixture.send(body: .multipart(parts)).unsent?.reason == .file)
        }
    }

    @Test func `nothing leaves where the attempt is cancelled before it begins`() throws {
        let cancellation = HTTPCancellation()
        cancellation.cancel()
        let outcome = try WriteFixture(.silence).send(cancellation: cancellation)
        // The first step may reach a server on this machine already.
        #expect((outcome.unsent ?? outcome.unanswered)?.reason == .cancelled)
    }

    @Test(arguments: [AnsweringServer.Treatment.answerAndClose([]), .reset])
    func `a request that is read and not answered may have been done, and is not sent again`(
        treatment: AnsweringServer.Treatment
    ) throws {
        let fixture = try WriteFixture(treatment)
        for _ in 0..<3 { #expect(fixture.send().unanswered?.reason == .unreachable) }
        #expect(try fixture.server.requests(count: 3).count == 3)
    }

    @Test(arguments: [
        ("HTTP/1.1 20", HTTPError.Reason.unreachable, Int?.none), ("HTTP/1.1 200 OK\r\nA: b", .truncated, nil),
        ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", .truncated, 200),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", .truncated, 200),
        ("220 mail.example\r\n", .malformed, nil),
    ])
    func `half an answer is none`(text: String, reason: HTTPError.Reason, status: Int?) throws {
        let error = try WriteFixture(.answerAndClose(Array(text.utf8))).send().unanswered
        #expect(error?.reason == reason)
        #expect(error?.status == status)
    }

    @Test func `headers without end are no answer`() throws {
        let line = "X-A: " + String(repeating: "x", count: 1000) + "\r\n"
        let text = "HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 100)
        #expect(try WriteFixture(.answer(text)).send().unanswered?.reason == .headersTooLarge)
    }

    @Test func `a connection that is reset at once is unreachable, whether or not a byte left`() throws {
        let fixture = try WriteFixture(.resetAtOnce)
        for _ in 0..<20 {
            let outcome = fixture.send()
            #expect((outcome.unsent ?? outcome.unanswered)?.reason == .unreachable)
        }
        #expect(try fixture.server.requests(count: 20).count == 20)
    }

    @Test func `a request that was sent when its time ran out may have been done`() throws {
        let fixture = try WriteFixture(.silence)
        let error = fixture.send(body: .none) { $0.limits.transfer = .milliseconds(100) }.unanswered
        #expect(error?.reason == .timeout(.transfer))
        #expect(try fixture.server.requests().first?.head.first == "POST /things HTTP/1.1")
    }

    @Test func `only a request that changes nothing is given up before its first byte`() throws {
        let fixture = try WriteFixture(.silence)
        let limits = TransferLimits(firstByte: .milliseconds(50), transfer: .milliseconds(500))
        for body in [HTTPWriteRequest.Body.none, .content(.bytes([1]))] {
            let early = fixture.send(body: body) { ($0.limits, $0.isGivenUpEarly) = (limits, true) }.unanswered
            #expect(early?.reason == .timeout(.firstByte))
        }
        #expect(fixture.send(body: .none) { $0.limits = limits }.unanswered?.reason == .timeout(.transfer))
    }

    @Test func `another thread ends an attempt that waits for its answer`() throws {
        let fixture = try WriteFixture(.silence)
        let cancellation = HTTPCancellation()
        let outcome = Mutex<HTTPError?>(nil)
        let size = WriteFixture.bytes(100)
        let sent = Monitor(false)
        let thread = try NamedThread("attempt") {
            let error = fixture.send(
                body: .content(.bytes(size)), cancellation: cancellation,
                progress: { _, _ in sent.update { $0 = true } }
            ).unanswered
            outcome.withLock { $0 = error }
        }
        #expect(sent.wait(upTo: LineClient.timeout) { $0 ? true : nil } == true)
        cancellation.cancel()
        thread.join()
        #expect(outcome.withLock { $0?.reason } == .cancelled)
    }

    @Test func `a file that becomes shorter ends the attempt`() throws {
        let fixture = try WriteFixture(.silence)
        let content = try fixture.file(WriteFixture.bytes(30_000_000))
        let outcome = fixture.send(
            body: .content(content), progress: { _, _ in #expect(unsafe truncate(fixture.folder("file"), 0) == 0) })
        #expect(outcome.unanswered?.reason == .file)
    }

    /// In a process of its own, because the environment is the whole process's.
    @Test func `nothing leaves through a proxy that gives no tunnel`() async {
        await #expect(processExitsWith: .success) {
            let proxy = try AnsweringServer(
                .answer("HTTP/1.1 407 Who\r\nContent-Length: 0\r\n\r\n"), .answerAndClose([]), .resetAtOnce)
            unsafe setenv("https_proxy", "http://127.0.0.1:\(proxy.port)", 1)
            let request = HTTPWriteRequest(.post, url: "https://nobody.invalid/", body: .content(.bytes([1])))
            #expect(HTTPWriter().send(request).unsent?.status == 407)
            #expect(HTTPWriter().send(request).unsent?.status == nil)
            #expect(HTTPWriter().send(request).unsent?.kind == .unreachable)
            let heads = try proxy.requests(count: 2).map { $0.head.first }
            #expect(heads.prefix(2) == ["CONNECT nobody.invalid:443 HTTP/1.1", "CONNECT nobody.invalid:443 HTTP/1.1"])
        }
    }
}

@Suite(.enabled(if: SecureServer.isInstalled, "needs /usr/bin/openssl"))
struct SecureWriteTests {
    @Test func `nothing leaves until the connection is secure`() throws {
        let server = try SecureServer([:])
        let plain = try UpstreamProcess()
        let (listener, port) = try LoopbackSocket.silentListener()
        let request = HTTPWriteRequest(.post, url: server.url("things"), body: .content(.bytes([1])))
        #expect(HTTPWriter().send(request).unsent?.reason == .insecure)
        let insecure = HTTPWriteRequest(.post, url: "https://127.0.0.1:\(plain.port)/", body: .content(.bytes([1])))
        #expect(HTTPWriter().send(insecure).unsent?.kind == .tls)
        let slow = HTTPWriteRequest(
            .post, url: "https://127.0.0.1:\(port)/", limits: TransferLimits(connect: .milliseconds(100)))
        #expect(HTTPWriter().send(slow).unsent?.reason == .timeout(.connect))
        withExtendedLifetime(listener) {}
    }

    @Test func `a request over TLS is answered, or may have been done`() throws {
        let server = try SecureServer([
            "good": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]", "none": "",
        ])
        let writer = HTTPWriter(authorities: server.certificate)
        let good = writer.send(HTTPWriteRequest(.get, url: server.url("good")))
        #expect(good.answer?.body == Array("[]".utf8))
        // openssl closes the connection without an answer to any method but GET.
        let lost = writer.send(
            HTTPWriteRequest(.delete, url: server.url("good"), limits: TransferLimits(transfer: .seconds(2))))
        #expect(lost.unanswered != nil)
    }
}
