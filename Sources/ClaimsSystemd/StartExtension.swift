// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsPlatform
import Glibc

/// Decides whether a start that takes long is given more time; pure.
///
/// Progress is processor time that the process has used. So a start that waits for an event that never comes gets no
/// more time than the unit allows, and a start that works without end is given up after an hour.
struct StartProgress {
    /// The processor time between two checks that counts as progress.
    static let minProcessorTime: Duration = .milliseconds(2)
    /// The number of checks that find progress, an hour of them with ``StartExtension/interval`` between two.
    static let maxExtensions = 720

    private var processorTime: Duration
    private var extensions = 0

    init(processorTime: Duration) {
        self.processorTime = processorTime
    }

    /// Whether the start is to be given more time, now that the process has used so much processor time.
    mutating func isExtended(at processorTime: Duration) -> Bool {
        let used = processorTime - self.processorTime
        self.processorTime = processorTime
        guard used >= Self.minProcessorTime, extensions < Self.maxExtensions else { return false }
        extensions += 1
        return true
    }
}

/// Keeps the service manager from ending a start that takes long, while it makes progress (`EXTEND_TIMEOUT_USEC`,
/// sd_notify(3)): after an upgrade, state.db is migrated and snapshots are rebuilt before the service is ready.
///
/// It informs the manager from a thread of its own, until ``end()`` or its release. A start that is over soon sends
/// nothing.
public final class StartExtension: Sendable {
    /// The time of the first check. It is shorter than any sensible limit of a unit for a start.
    static let firstLook: Duration = .milliseconds(250)
    static let interval: Duration = .seconds(5)
    /// The time that is requested from the manager at each later check.
    static let extendedTime: Duration = .seconds(30)

    private let isOver: Monitor<Bool>
    private let thread: NamedThread

    /// Begins to check.
    ///
    /// - Parameter status: one sentence for people, shown during the start.
    public convenience init(status: String) throws(SystemError) {
        try self.init(firstLook: Self.firstLook, interval: Self.interval) {
            ServiceManager.extendTimeout(Self.extendedTime)
            ServiceManager.status(status)
        }
    }

    /// Begins to check.
    ///
    /// - Parameter extend: called at each check that finds progress, on a thread of its own.
    init(
        firstLook: Duration, interval: Duration, extend: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let isOver = Monitor(false)
        self.isOver = isOver
        thread = try NamedThread("start") {
            var progress = StartProgress(processorTime: .zero)
            var pause = firstLook
            while isOver.wait(upTo: pause, { $0 ? true : nil }) == nil {
                pause = interval
                guard progress.isExtended(at: Self.processorTime) else { continue }
                // The lock is held, so that nothing is sent after `end`.
                isOver.read { if !$0 { extend() } }
            }
        }
    }

    deinit { end() }

    /// Ends the checks; nothing more is sent to the manager afterwards.
    public func end() {
        isOver.update { $0 = true }
    }

    /// The processor time that this process has used so far; POSIX has `clock` count microseconds.
    private static var processorTime: Duration { .microseconds(Int64(clock())) }
}
