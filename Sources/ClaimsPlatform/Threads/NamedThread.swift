// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The sole owner of one thread. Its release waits until the thread ends.
@safe
public struct NamedThread: ~Copyable, Sendable {
    private let thread: pthread_t

    /// The share of the processor that a thread gets when several threads can run.
    public enum Urgency: Sendable {
        /// The thread runs shortly and often, while a client waits for it, so it interrupts others.
        case prompt
        case normal
        /// The thread runs long, and no client waits for its single steps, so others come first.
        ///
        /// It is only a little nicer than they are, because on a busy machine it must still come to an end.
        case background

        /// Applies the urgency to the calling thread. A sandbox may forbid that, in which case nothing changes.
        public func apply() {
            switch self {
            case .prompt: _ = linux_thread_schedule(0, 100_000)
            case .normal: break
            case .background: _ = linux_thread_schedule(3, 200_000)
            }
        }
    }

    /// Starts a thread that runs `body`.
    ///
    /// The thread inherits the signals that ``SignalReader`` has blocked. Throws EAGAIN if the limit of threads is
    /// reached.
    ///
    /// - Parameters:
    ///   - name: The name that debuggers show, cut to 15 bytes.
    ///   - urgency: The share of the processor; a thread of normal urgency keeps the share of the starting thread.
    ///   - stackSize: The size of the stack in bytes; nil for the default of the system.
    ///   - body: The work of the thread, which ends when it returns.
    ///
    /// Signals that `SignalReader` blocked stay blocked on it. `stackSize` is in bytes, nil for the system's. A thread
    /// of normal urgency has the urgency of the thread that starts it.
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

    /// Waits until `body` has returned (pthread_join(3)).
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
