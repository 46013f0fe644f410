// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsServer
import ClaimsSystemd
import Dispatch
import Synchronization

/// Finds users and their groups in the machine's name service, which may take long or never answer.
///
/// Lookups run on threads of their own, at most ``maxLookups`` at once, and are waited for no longer than ``deadline``.
/// A thread that a name service blocks keeps its slot.
final class AccountFinder: AccountFinding, Sendable {
    /// The number of users that are asked about at once.
    private static let maxLookups = 4
    /// The time after which an answer is late.
    private static let deadline: Duration = .seconds(5)

    /// The receiver of one answer, which is called once.
    private final class Receiver: Sendable {
        private let receive: Mutex<(@Sendable (AccountAnswer) -> Void)?>
        /// The timer that ends the wait.
        let timer = Mutex<TimerID?>(nil)

        init(_ receive: @escaping @Sendable (AccountAnswer) -> Void) { self.receive = Mutex(receive) }

        var isDone: Bool { receive.withLock { $0 == nil } }

        func finish(_ answer: AccountAnswer) {
            let call = receive.withLock { receive in
                defer { receive = nil }
                return receive
            }
            call?(answer)
        }
    }

    private let loop: EventLoop
    private let lookups = Mutex(0)

    /// - Parameter loop: has the timers.
    init(_ loop: EventLoop) { self.loop = loop }

    func find(_ user: String, _ receive: @escaping @Sendable (AccountAnswer) -> Void) {
        let isFree = lookups.withLock { lookups in
            guard lookups < Self.maxLookups else { return false }
            lookups += 1
            return true
        }
        guard isFree else { return receive(.busy) }
        let receiver = Receiver(receive)
        // Threads of our own would be joined at the end, and a name service may never answer.
        DispatchQueue.global(qos: .utility).async { [self] in
            let answer = Self.ask(user)
            lookups.withLock { $0 -= 1 }
            receiver.finish(answer)
            loop.post { [loop] in
                let timer = receiver.timer.withLock { $0 }
                if let timer { loop.cancel(timer) }
            }
        }
        loop.post { [loop] in
            guard !receiver.isDone else { return }
            let timer = loop.schedule(after: Self.deadline) { receiver.finish(.late) }
            receiver.timer.withLock { $0 = timer }
        }
    }

    private static func ask(_ user: String) -> AccountAnswer {
        let number = UInt32(user)
        let account = number.map { NameService.account(numbered: $0) } ?? NameService.account(named: user)
        if let account {
            let groups = account.name.map { NameService.groups(of: $0, group: account.group) } ?? []
            return .found(
                UserAccount(name: account.name, user: account.user, group: account.group, groups: groups))
        }
        // A number without a name is only in a group that has no members; rules may still name it.
        return number.map { .found(UserAccount(name: nil, user: $0, group: .max, groups: [])) } ?? .unknown
    }
}
