// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Dispatch

/// Lets one thread wait until others say that something has ended.
final class DrainSignal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Says that it has ended.
    func raise() {
        semaphore.signal()
    }

    /// Waits until it has ended, or the time is up: false then.
    func wait(atMost duration: Duration) -> Bool {
        semaphore.wait(timeout: .now() + .milliseconds(Int(duration.wholeMilliseconds))) == .success
    }
}
