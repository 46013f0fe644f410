// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
public import ClaimsStore

extension SourceRow {
    /// The part of the row that the schedule works on.
    public var scheduled: RefreshSchedule.State {
        get {
            RefreshSchedule.State(
                due: due, failures: failures, retryAfter: retryAfter, triedAt: lastError?.at ?? asOf)
        }
        set {
            due = newValue.due
            failures = newValue.failures
            retryAfter = newValue.retryAfter
        }
    }

    /// The source has been tried at this address and fails so steadily that it is only probed.
    public var isOpen: Bool { scheduled.isOpen }

    /// What the schedule goes by: failures and waits of another address do not count.
    func scheduled(for target: FetchTarget) -> RefreshSchedule.State {
        triedKey == target.key ? scheduled : RefreshSchedule.State()
    }
}
