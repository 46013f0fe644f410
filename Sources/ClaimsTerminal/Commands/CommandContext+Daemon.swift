// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol

extension CommandContext {
    /// The answer to `status`, for hints; nil where there is none.
    func daemonStatus() -> AnswerValue? {
        do throws(CommandError) {
            return try call(.status, StatusParameters())
        } catch _ {
            // A hint is no reason to fail: then it names what the unit lets one guess.
            return nil
        }
    }

    /// The configuration of the daemon, as it tells it; costs a request.
    func daemonFiles() -> DaemonFiles { DaemonFiles(daemonStatus(), unit: unit) }
}
