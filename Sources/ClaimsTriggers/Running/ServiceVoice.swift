// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTerminal
import Glibc

/// The messages of a running trigger: to the service manager, to the journal, and in `status.json`.
///
/// The datagrams to the service manager are its own (sd_notify(3)), so that claimsctl needs no library.
final class ServiceVoice {
    /// The priority of a line of the journal (sd-daemon(3)).
    enum Priority: Int {
        case critical = 2
        case error = 3
        case notice = 5
    }

    private let trigger: String
    private let folder: String
    private let manager = Environment.nonempty("NOTIFY_SOCKET")
    private let isJournal: Bool
    private let started = ProcessState(getpid())?.startTime
    private var lastStatus: [UInt8] = []
    private var lastLine = ""
    private var hasFailed = false

    /// - Parameter folder: the run folder of the trigger.
    init(_ trigger: String, folder: String) {
        self.trigger = trigger
        self.folder = folder
        isJournal = JournalStream.isStandardError
    }

    /// Writes a line to standard error, which the journal reads with its priority.
    func say(_ priority: Priority, _ text: String) {
        let mark = isJournal ? "<\(priority.rawValue)>" : "claimsctl: "
        let line = Array("\(mark)trigger \(trigger): \(Escaping.line(text))\n".utf8)
        // Without a reader nothing is sent.
        _ = try? BorrowedDescriptor(2).write(line, in: 0..<line.count)
    }

    /// Informs the service manager that the trigger is ready.
    func ready() { send("READY=1") }

    /// Informs the service manager that the trigger is about to end.
    func stopping() { send("STOPPING=1\nSTATUS=stopping") }

    /// Reports how the trigger is doing, if that differs from the last report.
    ///
    /// - Parameter line: one line for `systemctl status`.
    func report(_ status: TriggerStatus, _ line: String) {
        if line != lastLine {
            lastLine = line
            send("STATUS=\(line)")
        }
        let bytes = status.json(trigger: trigger, pid: getpid(), started: started)
        guard bytes != lastStatus else { return }
        lastStatus = bytes
        do throws(SystemError) {
            try Directory.create(folder)
            let path = Paths.join(folder, TriggerStatus.name)
            let temporary = "\(path).new"
            let file = try FileDescriptor.open(temporary, .replace(permissions: 0o644))
            // All users may read it, whatever the umask.
            try Files.setPermissions(temporary, 0o644)
            try file.write(bytes)
            try Files.rename(temporary, to: path)
        } catch {
            // The command matters more than the word about it.
            if !hasFailed { say(.error, "\(error.message); so nothing tells how the trigger is doing") }
            hasFailed = true
        }
    }

    private func send(_ state: String) {
        guard let manager else { return }
        // A manager that has gone away needs no word.
        try? UnixSocket.sendDatagram(Array(state.utf8), to: manager)
    }
}
