// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsTestSupport
import Testing

@testable import ClaimsOutbox

@Suite struct StoredOperationsTests {
    private let folder: TemporaryFolder
    private let store: StateStore

    init() throws {
        folder = try TemporaryFolder()
        store = try StateStore(directory: folder.path)
    }

    @Test func `a change that the store does not begin in time is given up, and never made`() throws {
        let impatient = StoredOperations(
            store, limits: TransferLimits(), files: folder.path, maxWait: .milliseconds(50))
        let patient = StoredOperations(store, limits: TransferLimits(), files: folder.path)
        let isHeld = Monitor(true)
        store.updateOperations(
            at: 0,
            { _ in
                _ = isHeld.wait { $0 ? nil : true }
                return []
            }, completion: { _ in })
        let decisions = Monitor(0)
        #expect(throws: StoreError.self) {
            try impatient.changeOperations { _ in
                decisions.update { $0 += 1 }
                return []
            }
        }
        isHeld.update { $0 = false }
        let later = try patient.changeOperations { _ in
            decisions.update { $0 += 10 }
            return []
        }
        #expect(later.isEmpty && decisions.read { $0 } == 10)
        store.close()
    }

    @Test func `a change that has begun cannot be given up, and one that was given up cannot begin`() {
        var begun = StoredOperations.Change.queued
        #expect(begun.begin() && !begun.giveUp())
        var given = StoredOperations.Change.queued
        #expect(given.giveUp() && !given.begin())
    }
}
