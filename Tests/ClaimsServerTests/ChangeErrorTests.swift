// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol
import ClaimsStore
import Testing

@testable import ClaimsServer

@Suite struct ChangeErrorTests {
    private func error(_ code: StoreError.Code) -> RequestError {
        RequestError(StoreError(code, "change"), collection: "shelf")
    }

    @Test func `internal is for defects of the daemon only`() {
        let kinds: [(StoreError.Code, ErrorKind)] = [
            (.storageFull, .storageFull), (.notWritable, .storageFull), (.io, .storageFull), (.busy, .busy),
            (.closed, .busy), (.damaged, .busy), (.foreign, .busy), (.missing, .storageFull),
            (.noCollection, .unknownCollection), (.mismatch, .conflict), (.tooLarge, .tooLarge), (.fault, .internal),
        ]
        for (code, kind) in kinds { #expect(error(code).kind == kind, "\(code)") }
    }

    @Test func `whoever is to try again is told when`() {
        for code in [StoreError.Code.busy, .closed, .damaged] {
            #expect(error(code).details.contains { $0.name == "retry_after_ms" }, "\(code)")
        }
    }
}
