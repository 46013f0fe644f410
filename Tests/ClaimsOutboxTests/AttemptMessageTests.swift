// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsUpstream
import Testing

@testable import ClaimsOutbox

@Suite struct AttemptMessageTests {
    @Test func `a file that cannot be sent and an attempt that was ended are told in whole sentences`() {
        let (url, limits) = ("https://api.example/things", TransferLimits())
        let file = Message(attempt: HTTPError(.file, detail: "/x/f is not a regular file"), url: url, limits: limits)
        #expect(file.text("en") == "The data stored here cannot be used: /x/f is not a regular file")
        #expect(file.text("pl") == "Nie można użyć zapisanych tu danych: to nie jest zwykły plik: /x/f")
        let ended = Message(attempt: HTTPError(.cancelled), url: url, limits: limits)
        #expect(ended == Message(.writeInterrupted))
        let expired = Message(attempt: HTTPError(.insecure, cause: .expired), url: url, limits: limits)
        #expect(expired == Message(.tlsExpired))
    }
}
