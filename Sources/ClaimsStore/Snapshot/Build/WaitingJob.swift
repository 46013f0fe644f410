// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A job that needs what another one makes.
struct WaitingJob<Value: Sendable>: BuildJob {
    let value: JobResult<Value>
    let job: @Sendable (Value) -> any BuildJob

    func write() throws(StoreError) { try job(try value.get()).write() }
}
