// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// The state of a command, for the handler of the signal that interrupts it.
public enum Interruption {
    /// Whether questions are being asked, and nothing that they are about has been done yet. A handler may read it: a
    /// load takes no lock.
    public static let isHarmless = Atomic<Bool>(false)
    /// Whether the words are Polish; a handler may read it, too.
    private static let isPolish = Atomic<Bool>(false)
    /// The words about that, a newline after them.
    public static var harmlessWords: StaticString {
        isPolish.load(ordering: .relaxed)
            ? "claimsctl: przerwano, więc niczego nie wysłano\n"
            : "claimsctl: interrupted, so nothing was submitted\n"
    }

    /// Marks the time in which an interrupt does no harm.
    static func setHarmless(_ value: Bool) { isHarmless.store(value, ordering: .relaxed) }

    /// Sets the language of the words.
    static func speak(_ messages: Messages) { isPolish.store(messages.isPolish, ordering: .relaxed) }
}
