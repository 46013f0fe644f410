// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsProtocol
import ClaimsStore

extension RequestError {
    /// The answer to a change that the store could not make.
    ///
    /// `internal` is for defects of the daemon only: whatever the disk, the file or another program is to blame for has a
    /// kind that says whether to try again.
    init(_ error: StoreError, collection: String) {
        switch error.code {
        case .storageFull:
            self.init(
                .storageFull, "there is no room to write the change", hint: "free room on the disk, and try again")
        case .notWritable:
            self.init(.storageFull, "the state folder cannot be written", hint: error.message)
        case .io:
            self.init(.storageFull, "the disk did not take the change", hint: error.message)
        case .busy:
            self.init(
                .busy, "another program has locked the state database",
                hint: "try again in a moment; fuser(1) tells which programs have state.db open",
                details: [Self.retry(afterMilliseconds: 1_000)])
        case .closed:
            self.init(
                .busy, "the daemon is stopping", hint: "try again in a moment",
                details: [Self.retry(afterMilliseconds: 1_000)])
        case .damaged, .foreign, .otherVersion, .inUse:
            self.init(
                .busy, "the state database is damaged, and is recovered by a restart of the daemon",
                hint: error.message, details: [Self.retry(afterMilliseconds: 10_000)])
        case .missing:
            self.init(
                .unknownCollection, "unknown collection '\(collection)'", hint: "it was removed meanwhile",
                details: [Self.detail("collection", collection)])
        case .mismatch:
            self.init(.conflict, "the collection has changed meanwhile", hint: "try again")
        case .tooLarge:
            self.init(
                .tooLarge, "the change is larger than the state database can hold", hint: "send fewer ids at a time")
        case .fault:
            self.init(.internal, "the change could not be stored: \(error.message)")
        }
    }

    private static func retry(afterMilliseconds milliseconds: Int64) -> (name: String, json: [UInt8]) {
        detail("retry_after_ms", milliseconds)
    }
}
