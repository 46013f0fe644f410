// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The bytes of one page of records. They stay at the same address while the object lives.
public protocol RecordBody: Sendable {
    func withBytes<Result: ~Copyable, Failure: Error>(
        _ read: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result
}

/// A body that is in memory.
public final class ArrayBody: RecordBody {
    private let bytes: [UInt8]

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ read: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes = bytes
        return try read(bytes.rawSpan)
    }
}
