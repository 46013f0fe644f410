// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc
import Synchronization

/// The children and folders that must not outlive the benchmark, however it ends.
enum Cleanup {
    private struct State {
        var folders: [String] = []
        var children: Set<Int32> = []
    }

    private static let state = Mutex(State())
    /// Never released: a thread is joined when its owner is released.
    private static let watcher = Mutex<NamedThread?>(nil)

    static func add(folder: String) {
        state.withLock { $0.folders.append(folder) }
    }

    static func add(child: Int32) {
        state.withLock { _ = $0.children.insert(child) }
    }

    static func forget(child: Int32) {
        state.withLock { _ = $0.children.remove(child) }
    }

    /// Kills and removes them all.
    static func run() {
        let (children, folders) = state.withLock { state in
            defer { state = State() }
            return (state.children, state.folders)
        }
        for child in children { kill(child, SIGKILL) }
        for folder in folders {
            do { try Directory.remove(folder) } catch { BenchConsole.note("\(error)") }
        }
    }

    /// From now on an interruption cleans up before it ends the process. To be called before other threads start.
    static func onInterruption() throws(SystemError) {
        let watch = try SignalWatch()
        let thread = try NamedThread("signals") {
            watch.wait()
            run()
            exit(130)
        }
        keep(thread)
    }

    private static func keep(_ thread: consuming NamedThread) {
        var thread: NamedThread? = consume thread
        watcher.withLock { swap(&$0, &thread) }
    }
}

/// Waits for a signal that should end the process.
private final class SignalWatch: Sendable {
    private let signals: SignalReader

    init() throws(SystemError) {
        signals = try SignalReader([SIGINT, SIGTERM, SIGHUP])
    }

    func wait() {
        var entry = pollfd(fd: signals.raw, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&entry, 1, -1) < 1 {}
    }
}
