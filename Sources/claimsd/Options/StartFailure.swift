// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsOutbox
import ClaimsPlatform
import ClaimsStore
import ClaimsSystemd

/// The reason why the daemon could not start, with the journal entry about it.
struct StartFailure: Error {
    let message: String
    var event: LogEvent?
    var fields: [LogField] = []
    var exitCode = DaemonExitCode.failed
    /// Whether it may pass without a repair: the disk is full, or another program has locked a file.
    private(set) var mayPass = false
    /// The cause in words, without its consequence.
    private(set) var cause = ""

    /// Makes the end of a start that a signal has ended.
    static let stopped = StartFailure(message: "stopped before it was ready", exitCode: DaemonExitCode.stopped)

    private init(message: String, exitCode: Int32) {
        self.message = message
        self.exitCode = exitCode
    }

    /// Makes the failure of a system call.
    init(_ error: SystemError) {
        message = error.message
    }

    /// Makes the failure about a folder that cannot be used. For one of another user, a person must act.
    init(_ error: SystemError, folder: String) {
        message = "the folder \(folder) cannot be used"
        event = .folderUnusable
        fields = [.path(folder), .reason(error.message)]
        mayPass = error.isOutOfSpace
        cause = error.message
        guard error.isForbidden, let owner = Self.strangeOwner(of: folder) else { return }
        fields = [.path(folder), .reason(Self.ownership(of: folder, owner))]
        exitCode = DaemonExitCode.configuration
    }

    /// Makes the failure about a folder of another user, in which a person must act.
    init(folder: String, of owner: UInt32) {
        message = "the folder \(folder) cannot be used"
        event = .folderUnusable
        fields = [.path(folder), .reason(Self.ownership(of: folder, owner))]
        exitCode = DaemonExitCode.configuration
    }

    /// Makes the failure of a configuration in which no collection has a good definition.
    init(noDefinitionIn folders: Folders) {
        let standard = [Folders.systemConfiguration, Folders.systemData]
        let isStandard = [folders.configuration, folders.data] == standard
        let options = isStandard ? "" : " --config-dir \(folders.configuration) --data-dir \(folders.data)"
        message =
            "no collection has a definition that can be used in \(folders.configuration)/collections.d or "
            + "\(folders.data)/collections.d; to see why: claimsd --check-config\(options)"
        event = .configurationInvalid
        fields = [.path(folders.configuration)]
        exitCode = DaemonExitCode.configuration
    }

    /// Makes the failure about a state database that cannot be opened.
    init(_ error: StoreError) {
        message = error.code == .inUse ? "another claimsd is running" : "the state cannot be used"
        fields = [.reason(error.message)]
        mayPass = error.mayPass
        cause = error.message
        event = error.code == .inUse ? .stateInUse : .stateUnusable
    }

    /// Makes the failure of the outbox.
    init(_ error: OutboxError) {
        switch error {
        case .store(let error): self.init(error)
        case .system(let error): self.init(error)
        }
    }

    /// Makes the failure about the state database in `folder`.
    ///
    /// A person must act if the database belongs to a newer version, another program or another user, or if something
    /// else has its path.
    init(_ error: StoreError, folder: String) {
        self.init(error)
        let path = "\(folder)/\(StateDatabase.fileName)"
        guard error.code != .inUse else {
            fields = [.reason("process \(error.number) has \(path)")]
            return
        }
        fields.append(.path(path))
        switch error.code {
        case .otherVersion: fields[0] = .reason("\(path) is of a newer claimsd (\(error.detail))")
        case .foreign: fields[0] = .reason("\(path) is a database of another program")
        case .notWritable:
            let files = ["", "-wal", "-shm"].map { path + $0 } + ["\(folder)/\(StateDatabase.lockName)"]
            guard let strange = files.first(where: { Self.strangeOwner(of: $0) != nil }),
                let owner = Self.strangeOwner(of: strange)
            else { return }
            fields[0] = .reason(Self.ownership(of: strange, owner))
        case .misplaced: break
        default: return
        }
        exitCode = DaemonExitCode.configuration
    }

    /// The owner of a file or folder; nil if it is the user that claimsd runs as, or if it cannot be found out.
    static func strangeOwner(of path: String) -> UInt32? {
        Files.owner(path).map(\.user).flatMap { $0 == ProcessUser.number ? nil : $0 }
    }

    private static func ownership(of path: String, _ owner: UInt32) -> String {
        func name(_ user: UInt32) -> String { Accounts.userName(user) ?? "\(user)" }
        return "\(path) belongs to the user \(name(owner)), and claimsd runs as \(name(ProcessUser.number))"
    }
}

extension Folders {
    /// Makes the folders that the daemon writes to, and checks that it can and may.
    ///
    /// In the folder of another user even root writes nothing: that user could have put links there.
    func prepare() throws(StartFailure) {
        for folder in [state, cache] {
            do throws(SystemError) {
                try Directory.create(folder, permissions: 0o700)
            } catch {
                throw StartFailure(error, folder: folder)
            }
            if let owner = StartFailure.strangeOwner(of: folder) { throw StartFailure(folder: folder, of: owner) }
            do throws(SystemError) {
                _ = try FileDescriptor.temporary(in: folder)
            } catch {
                throw StartFailure(error, folder: folder)
            }
        }
    }
}
