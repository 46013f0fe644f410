// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// The state of a command, for the handler of the signal that interrupts it.
public enum Interruption {
    /// Whether a command asks questions and has changed nothing yet. A signal handler may read it: a load takes no
    /// lock.
    public static let isHarmless = Atomic<Bool>(false)
    /// Whether ``harmlessWords`` are Polish. A signal handler may read it.
    private static let isPolish = Atomic<Bool>(false)
    /// The text for an interrupt that does no harm, with a newline.
    public static var harmlessWords: StaticString {
        isPolish.load(ordering: .relaxed)
            ? "claimsctl: przerwano, więc niczego nie wysłano\n"
            : "claimsctl: interrupted, so nothing was submitted\n"
    }

    /// Marks the time in which an interrupt does no harm.
    static func set(isHarmless value: Bool) { isHarmless.store(value, ordering: .relaxed) }

    /// Sets the language of ``harmlessWords``.
    static func setLanguage(_ messages: Messages) { isPolish.store(messages.isPolish, ordering: .relaxed) }
}
