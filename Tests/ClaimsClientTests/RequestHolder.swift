// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTestSupport
import Synchronization

/// Keeps a request for later.
final class RequestHolder: Sendable {
    private let held = Mutex<ScriptedDaemon.Request?>(nil)

    /// The request that was held; `request` takes its place.
    func swap(_ request: ScriptedDaemon.Request) -> ScriptedDaemon.Request? {
        held.withLock { held in
            defer { held = request }
            return held
        }
    }
}
