// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The mistakes that several threads found.
final class Findings: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func add(_ text: String) {
        texts.withLock { texts in
            if texts.count < 20 { texts.append(text) }
        }
    }
}
