// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The bytes of one page of records. They stay where they are as long as this lives.
public protocol RecordBody: Sendable {
    func withBytes<Result: ~Copyable, Failure: Error>(
        _ read: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result
}
