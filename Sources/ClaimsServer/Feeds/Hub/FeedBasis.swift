// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The parts of a definition that feeds rest on, beside the records.
struct FeedBasis: Equatable {
    private let shape: UInt64
    private let volatile: [Bool]
    private let hasPendingField: Bool

    init(_ definition: Definition) {
        shape = definition.queryShape.whole
        volatile = definition.fields.map(\.isVolatile)
        hasPendingField = definition.hasPendingField
    }
}
