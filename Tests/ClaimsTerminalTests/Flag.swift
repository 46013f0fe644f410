// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A flag that one thread raises and others see.
final class Flag: Sendable {
    private let value = Mutex(false)

    /// Raises the flag; true for the first call.
    func raise() -> Bool {
        value.withLock { isRaised in
            defer { isRaised = true }
            return !isRaised
        }
    }
}
