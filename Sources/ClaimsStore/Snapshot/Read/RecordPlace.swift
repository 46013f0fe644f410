// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Where a record of one snapshot is, so that it is looked up once.
public struct RecordPlace: Sendable {
    public let row: Int
    let offset: Int
}
