// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTestSupport

extension DaemonProcess {
    /// Takes one step after the other on a connection of its own, and returns when that ends.
    func takeSteps(seed: UInt64, _ step: (LineClient, inout SeededGenerator) throws -> Void) {
        var chance = SeededGenerator(seed: seed)
        do {
            let client = try connect()
            while true { try step(client, &chance) }
        } catch {
            // The daemon was killed.
        }
    }
}
