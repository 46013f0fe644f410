// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsPlatform
import Glibc

extension StoreError {
    /// Translates a failed system call.
    public init(_ error: SystemError) {
        let code: Code =
            if error.isOutOfSpace { .storageFull } else if error.isReadOnly { .notWritable } else if error.isNotFound {
                .missing
            } else if error.isMisplaced { .misplaced } else { .io }
        let detail = error.detail ?? (error.isMisplaced ? error.errno == EISDIR ? "a folder" : "a link" : "")
        self.init(code, error.operation, number: error.errno, detail: detail)
    }
}
