// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// A finished `SpillStream`, from memory or from its file; its elements lie end to end in `bytes`.
struct SpilledElements<Element: BitwiseCopyable & Sendable>: Sendable {
    private let kept: [Element]
    private let file: MappedFile?
    let count: Int

    init(_ kept: [Element]) {
        self.kept = kept
        file = nil
        count = kept.count
    }

    init(_ file: MappedFile, count: Int) {
        kept = []
        self.file = file
        self.count = count
    }

    var bytes: RawSpan {
        @_lifetime(borrow self) get {
            if let file { return unsafe _overrideLifetime(file.bytes, borrowing: self) }
            return unsafe kept.span.bytes
        }
    }
}
