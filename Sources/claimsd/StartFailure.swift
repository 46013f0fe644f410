// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsStore
import ClaimsSystemd

/// The reason why the daemon could not start, with the journal entry about it.
struct StartFailure: Error {
    let message: String
    var event: LogEvent?
    var fields: [LogField] = []
    var exitCode = DaemonExitCode.failed

    /// Makes the failure of a system call.
    init(_ error: SystemError) {
        message = error.message
    }

    /// Makes the failure about a folder that cannot be used.
    init(_ error: SystemError, folder: String) {
        message = "the folder \(folder) cannot be used"
        event = .folderUnusable
        fields = [.path(folder), .reason(error.message)]
    }

    /// Makes the failure of a configuration in which no collection has a good definition.
    init(noDefinitionIn folders: Folders) {
        message = "no collection has a definition that can be used"
        event = .configurationInvalid
        fields = [.path(folders.configuration)]
        exitCode = DaemonExitCode.configuration
    }

    /// Makes the failure about a state database that cannot be opened.
    init(_ error: StoreError) {
        message =
            error.code == .inUse
            ? "another claimsd, process \(error.number), has this state" : "the state cannot be used"
        fields = [.reason(error.message)]
        event = error.code == .inUse ? .stateInUse : nil
    }
}
