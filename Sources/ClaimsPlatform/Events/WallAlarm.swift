// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Notifies an event loop when a wall-clock time is reached, and when the wall clock is set. Touched on the loop's
/// thread only, or before it runs.
///
/// ```swift
/// let alarm = try WallAlarm()
/// try alarm.watch(on: loop)
/// alarm.onEvent = { clockWasSet in … }
/// alarm.set(SystemClock.wall + 500)
/// ```
public final class WallAlarm: EventHandler {
    private let timer: WallTimer
    /// Called when the time is reached or the clock was set. The time must then be set anew.
    public var onEvent: ((_ clockWasSet: Bool) -> Void)?

    public init() throws(SystemError) {
        timer = try WallTimer()
    }

    /// Begins to watch, for no time.
    public func watch(on events: EventLoop) throws(SystemError) {
        try timer.set(nil)
        try events.add(timer.raw, .read, handler: self)
    }

    /// Sets the time, in milliseconds since 1970; nil for none.
    public func set(_ time: Int64?) {
        // The kernel refuses no time in this range.
        try? timer.set(time)
    }

    public func ready(_: EventMask, on _: EventLoop) {
        guard let event = timer.next() else { return }
        onEvent?(event == .clockSet)
    }
}
