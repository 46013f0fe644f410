// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension ChangeLogReader {
    /// The write that gave a record of this host's own the values that it has; nil: it is not kept any more.
    ///
    /// - Parameter time: when the record was changed, in milliseconds since 1970.
    public func write(of collection: Int64, id: [UInt8], at time: Int64) throws(StoreError) -> RecordWrite? {
        try read { () throws(StoreError) in
            try statements.writes.bind(1, collection)
            try statements.writes.bind(2, time)
            try statements.writes.bind(3, text: id)
            defer { statements.writes.reset() }
            guard try statements.writes.step(), let operation = OperationID(statements.writes.text(0)) else {
                return nil
            }
            return RecordWrite(
                operation: operation, submittedAt: time, uid: UInt32(clamping: statements.writes.integer(1)))
        }
    }
}
