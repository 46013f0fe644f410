// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The sole owner of one thread, which is waited for when its owner goes.
@safe
public struct NamedThread: ~Copyable, Sendable {
    private let thread: pthread_t

    /// Which of the threads that could run comes first.
    public enum Urgency: Sendable {
        /// Somebody waits for each of its short turns: it interrupts others.
        case prompt
        case normal
        /// Nobody waits for its single steps: others come first, and soon get a turn when they wake. Only a little nicer
        /// than they, or a busy machine would never let it end.
        case background

        /// Takes effect on the calling thread. It is only a wish, which a sandbox may forbid.
        public func apply() {
            switch self {
            case .prompt: _ = linux_thread_schedule(0, 100_000)
            case .normal: break
            case .background: _ = linux_thread_schedule(3, 200_000)
            }
        }
    }

    /// Runs `body` on a thread of its own; 15 bytes of `name` show in debuggers.
    ///
    /// Signals that `SignalReader` blocked stay blocked on it. `stackSize` is in bytes, nil for the system's. A thread
    /// of normal urgency has that of the thread that starts it.
    public init(
        _ name: String, urgency: Urgency = .normal, stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        if let stackSize { unsafe pthread_attr_setstacksize(&attributes, stackSize) }
        let start = unsafe Unmanaged.passRetained(Start(name: name, urgency: urgency, body: body))
        var thread = pthread_t()
        let error = unsafe pthread_create(
            &thread, &attributes,
            { context in
                guard let context = unsafe context else { return nil }
                let start = unsafe Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
                unsafe linux_thread_name(start.name)
                start.urgency.apply()
                start.body()
                return nil
            }, start.toOpaque())
        guard error == 0 else {
            unsafe start.release()
            throw SystemError("start the thread \(name)", errno: error)
        }
        self.thread = thread
    }

    /// Returns when the thread's body has.
    public consuming func join() {}

    deinit {
        _ = pthread_join(thread, nil)
    }

    private final class Start: Sendable {
        let name: String
        let urgency: Urgency
        let body: @Sendable () -> Void

        init(name: String, urgency: Urgency, body: @escaping @Sendable () -> Void) {
            self.urgency = urgency
            self.name = String(decoding: name.utf8.prefix(15), as: UTF8.self)
            self.body = body
        }
    }
}
