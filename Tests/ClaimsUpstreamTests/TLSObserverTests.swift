// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import Testing

@testable import ClaimsUpstream

struct TLSObserverTests {
    private static let request: [UInt8] = [13, 0, 0, 4, 0, 0, 0, 0]
    private static let nothing: [UInt8] = [11, 0, 0, 4, 0, 0, 0, 0]
    private static let certificate: [UInt8] = [11, 0, 0, 9, 0, 0, 0, 5, 1, 2, 3, 4, 5]

    private func observer(received: [UInt8]..., sent: [UInt8]...) -> TLSObserver {
        var observer = TLSObserver()
        for message in received.prefix(1) { observer.observe(message.rawSpan, isReceived: true) }
        for message in sent { observer.observe(message.rawSpan, isReceived: false) }
        for message in received.dropFirst() { observer.observe(message.rawSpan, isReceived: true) }
        return observer
    }

    @Test func `a server that gets no certificate and hangs up wanted one`() {
        let hung = observer(received: Self.request, sent: Self.nothing)
        #expect(hung.blamesCertificate(isHandshake: false) && hung.blamesCertificate(isHandshake: true))
    }

    @Test func `a server that got a certificate and hangs up after the handshake is one that hangs up`() {
        let hung = observer(received: Self.request, sent: Self.certificate)
        #expect(!hung.blamesCertificate(isHandshake: false) && hung.blamesCertificate(isHandshake: true))
    }

    @Test(arguments: [40, 42, 46, 48, 116] as [UInt8])
    func `an alert says that the certificate is refused`(description: UInt8) {
        let refused = observer(received: Self.request, [2, description], sent: Self.certificate)
        #expect(refused.blamesCertificate(isHandshake: false))
    }

    @Test func `an alert about something else blames no certificate`() {
        #expect(!observer(received: Self.request, [2, 70], sent: Self.nothing).blamesCertificate(isHandshake: true))
        #expect(!observer(received: [2, 40]).blamesCertificate(isHandshake: true))
        #expect(!observer(received: [1, 0]).blamesCertificate(isHandshake: false))
        #expect(observer(received: [2, 116]).blamesCertificate(isHandshake: false))
    }

    @Test func `messages of no length are no trap`() {
        #expect(!observer(received: [], [13], sent: [11]).blamesCertificate(isHandshake: true))
    }
}
