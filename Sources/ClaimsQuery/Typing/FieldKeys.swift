// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The values of filters as the keys that records have.
enum FieldKeys {
    static func instant(_ ms: Int64) -> [UInt8] {
        var key: [UInt8] = []
        KeyEncoding.instant(ms, into: &key)
        return key
    }

    static func date(_ days: Int) -> [UInt8] {
        var key: [UInt8] = []
        KeyEncoding.date(days, into: &key)
        return key
    }

    static func bool(_ value: Bool) -> [UInt8] {
        var key: [UInt8] = []
        KeyEncoding.bool(value, into: &key)
        return key
    }
}
