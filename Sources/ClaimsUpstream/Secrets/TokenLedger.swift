// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// The tokens in use, and who may ask for which. Pure: the caller has the clock, the lock and the requests.
struct TokenLedger: Sendable {
    /// The owner of a token: equal requests with equal secrets share one.
    struct Key: Hashable, Sendable {
        let request: TokenRequest
        /// A digest of the secrets' bytes, so that they are not kept here.
        let secrets: [UInt8]
    }

    /// The key for which one request is made at a time: the key of a token, or of a grant with refresh tokens.
    enum Turnstile: Hashable, Sendable {
        case token(Key)
        case grant(RefreshGrant)
    }

    /// A token with a number that no other has.
    struct Numbered: Sendable, Equatable {
        let token: AccessToken
        let number: UInt64
    }

    enum Decision: Sendable {
        case use(Numbered)
        /// The caller asks, and reports the end with ``finish(_:_:_:)``.
        case ask
        /// Another request is under way. The number is the number of the last end.
        case wait(UInt64)
        case fail(AccessFailure)
    }

    private struct Entry: Sendable {
        var token: Numbered?
        /// The number of requests for it that have ended.
        var ends: UInt64 = 0
        /// The failure of the last one.
        var failure: AccessFailure?
    }

    private var entries: [Key: Entry] = [:]
    private var busy: Set<Turnstile> = []
    private var lastNumber: UInt64 = 0

    /// The step of a request that needs a token.
    ///
    /// - Parameters:
    ///   - rejected: the number of a token that the upstream has refused.
    ///   - seen: the number of ends when the request began to wait; nil if it has not waited.
    ///   - now: nanoseconds since boot.
    mutating func decide(
        _ key: Key, at turnstile: Turnstile, rejected: UInt64?, seen: UInt64?, now: UInt64
    ) -> Decision {
        let entry = entries[key] ?? Entry()
        if let token = entry.token, token.number != rejected, now < token.token.renewal { return .use(token) }
        // The waiting requests share the failure of the one that was made.
        if let seen, entry.ends > seen, let failure = entry.failure { return .fail(failure) }
        if busy.contains(turnstile) { return .wait(entry.ends) }
        busy.insert(turnstile)
        return .ask
    }

    /// Records the end of a request; nil for a cancelled one, which means nothing to the waiting ones.
    mutating func finish(
        _ key: Key, at turnstile: Turnstile, _ end: Result<AccessToken, AccessFailure>?, now: UInt64
    ) -> Numbered? {
        busy.remove(turnstile)
        // Secrets that are not used any more leave with their tokens.
        entries = entries.filter { other, entry in
            other == key || busy.contains(.token(other)) || entry.token.map { now < $0.token.renewal } ?? false
        }
        guard let end else { return nil }
        var entry = entries[key] ?? Entry()
        entry.ends += 1
        var numbered: Numbered?
        switch end {
        case .success(let token):
            lastNumber += 1
            numbered = Numbered(token: token, number: lastNumber)
            entry.token = numbered
            entry.failure = nil
        case .failure(let failure):
            entry.token = nil
            entry.failure = failure
        }
        entries[key] = entry
        return numbered
    }

    /// Whether a wait that began after `seen` ends is over.
    func isOver(_ key: Key, at turnstile: Turnstile, seen: UInt64) -> Bool {
        !busy.contains(turnstile) || (entries[key]?.ends ?? 0) > seen
    }

    /// The number of tokens and failures that are kept.
    var count: Int { entries.count }
}

/// The owner of a refresh token, which does not depend on the rest of its requests.
struct RefreshGrant: Hashable, Sendable {
    let url: String
    let client: String
    /// The name of the credential with the first refresh token.
    let credential: String
    /// A digest of the credential's bytes: refresh tokens for other bytes are void.
    let digest: String
}

extension TokenLedger.Key {
    init(_ request: TokenRequest, _ secrets: TokenSecrets) {
        self.request = request
        var hash = SHA256()
        func add(_ bytes: [UInt8]?) {
            let size = "\(bytes?.count ?? -1) "
            unsafe hash.update(Array(size.utf8).span.bytes)
            if let bytes { unsafe hash.update(bytes.span.bytes) }
        }
        add(secrets.client.map { Array($0.utf8) })
        add(secrets.refresh.map { Array($0.utf8) })
        switch secrets.security.authorities {
        case nil: add(nil)
        case .bytes(let bytes): add(bytes)
        case .file(let path): add(Array(path.utf8))
        }
        add(secrets.security.certificate)
        add(secrets.security.key)
        self.secrets = hash.digest
    }
}
