// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Tells when a wall-clock time is reached, and when the wall clock is set. Touched on the hub's thread only.
final class WallAlarm: EventHandler {
    private let timer: WallTimer
    /// Called when the time is reached or the clock was set.
    var onEvent: ((_ clockWasSet: Bool) -> Void)?

    init() throws(SystemError) {
        timer = try WallTimer()
    }

    func watch(on events: EventLoop) throws(SystemError) {
        try timer.set(nil)
        try events.add(timer.raw, .read, handler: self)
    }

    /// Sets the time, in milliseconds since 1970; nil for none.
    func set(_ time: Int64?) {
        // The kernel refuses no time in this range.
        try? timer.set(time)
    }

    func ready(_: EventMask, on _: EventLoop) {
        guard let event = timer.next() else { return }
        onEvent?(event == .clockSet)
    }
}
