// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The hints that claimsctl prints for people when a collection has a problem.
public enum Advice {
    /// The hint for a collection without data; `nil` when the daemon's own hint is better.
    public static func forNoData(_ meta: AnswerMeta?, _ messages: Messages) -> String? {
        guard let meta, !meta.collection.isEmpty else { return nil }
        switch meta.state {
        case "loading": return messages.waitForFirstFetch(of: meta.collection)
        // Without a source there is nothing to try.
        case "failed" where meta.nextRefresh == nil && meta.failure == nil: return nil
        case "failed", "withheld": return messages.tryAgainOrLook(at: meta.collection)
        default: return nil
        }
    }

    /// The hint for data that is older than the command line accepts; `nil` for an unknown collection.
    public static func forOldData(_ meta: AnswerMeta?, _ messages: Messages) -> String? {
        guard let meta, !meta.collection.isEmpty else { return nil }
        let hasNoSource = meta.nextRefresh == nil && (meta.freshness == "bundle" || meta.state == "unconfigured")
        return hasNoSource ? messages.nothingToAsk : messages.askNow(meta.collection)
    }

    /// The hint for a refresh that failed, by the kind of the failure; `nil` for a kind without a hint.
    ///
    /// - Parameter files: the daemon's configuration, which names the definition and the command that reloads it.
    static func forFailure(
        _ failure: AnswerMeta.Failure, collections: [String], files: DaemonFiles, _ messages: Messages
    ) -> String? {
        let file = files.definition(of: collections)
        let reload = files.reload
        let now = messages.tryNow(collections, site: failure.site)
        // The request that failed, by its key in the definition.
        let source = failure.site.map { "source.sites.each.\($0)" } ?? "source"
        let request = failure.kind == "join" ? "source.join" : source
        let kind = failure.kind == "join" ? joinedKind(failure) : failure.kind
        switch kind {
        case "invalid_url": return messages.correct("\(request).url", in: file, then: reload)
        case "unreachable" where failure.reason == "dns":
            return "\(messages.checkNetwork); \(messages.check("\(request).url", in: file, then: reload))"
        case "unreachable" where failure.reason == "proxy": return "\(messages.checkProxy); \(now)"
        case "timeout" where failure.reason == "pause": return messages.raisePause
        case "unreachable", "timeout": return "\(messages.checkNetwork); \(now)"
        case "tls": return secureAdvice(failure, of: request, file, reload: reload, now: now, messages)
        case "http_status": return statusAdvice(failure.status, of: request, file, reload: reload, now: now, messages)
        case "redirect": return messages.finalAddress("\(request).url", in: file, then: reload)
        case "too_large": return messages.raiseLimit
        case "credential":
            return failure.reason == "missing" || failure.reason == nil
                ? messages.putCredential(of: file, in: files.credentials, then: files.restart)
                : messages.mendCredential(of: file, in: files.credentials, then: files.restart)
        case "file": return "\(messages.checkFile); \(now)"
        case "join": return messages.check(request, in: file, then: reload)
        case "held": return messages.acceptHeld(collections)
        case "reported": return messages.check("source.query", "source.body", in: file, then: reload)
        case "late": return messages.checkCache(of: file)
        case "other" where failure.reason == "storage_full": return "\(messages.freeRoom(in: files.storage)); \(now)"
        case "other" where failure.reason == "storage_locked": return "\(messages.endLock); \(now)"
        case "not_json" where failure.reason == "token":
            return messages.check("\(request).auth", in: file, then: reload)
        case "not_json", "wrong_shape", "encoding", "truncated", "protocol":
            return "\(messages.checkAnswer("\(request).url", file)); \(now)"
        default: return nil
        }
    }

    /// The kind that the failure of a join would have as that of a source, if its cause shows it; `join` otherwise.
    private static func joinedKind(_ failure: AnswerMeta.Failure) -> String {
        if failure.status != nil { return "http_status" }
        return switch failure.reason {
        case "dns", "refused", "no_route", "reset", "proxy": "unreachable"
        case "untrusted", "expired", "name", "handshake", "client_certificate": "tls"
        case "connect", "first_byte", "transfer", "pause": "timeout"
        case "missing", "mode", "unusable", "rejected": "credential"
        case "token": "not_json"
        default: "join"
        }
    }

    /// The hint for a request that was answered with a status of failure.
    ///
    /// - Parameter request: the key of the request in the definition.
    private static func statusAdvice(
        _ status: Int64?, of request: String, _ file: String, reload: String?, now: String, _ messages: Messages
    ) -> String {
        switch status {
        case 401, 403:
            messages.check("\(request).credential", "\(request).auth", "\(request).headers", in: file, then: reload)
        case 404, 410: messages.check("\(request).url", in: file, then: reload)
        default: "\(messages.upstreamHasToBeMended); \(now)"
        }
    }

    /// The hint for a connection that cannot be secured.
    ///
    /// - Parameter request: the key of the request in the definition.
    private static func secureAdvice(
        _ failure: AnswerMeta.Failure, of request: String, _ file: String, reload: String?, now: String,
        _ messages: Messages
    ) -> String {
        switch failure.reason {
        case "client_certificate": messages.check("\(request).tls", in: file, then: reload)
        case "untrusted": messages.trust("\(request).tls", in: file, then: reload)
        case "name": messages.check("\(request).url", in: file, then: reload)
        default: "\(messages.checkCertificate); \(now)"
        }
    }

    /// The daemon's hint in a form that survives a shell: advice to quote a text becomes advice to use `--text`.
    ///
    /// Any other hint is returned as it is.
    ///
    /// - Parameter takesText: whether the verb has the option `--text`.
    public static func forShell(_ hint: String, takesText: Bool = true) -> String {
        guard hint.hasSuffix("\"") else { return hint }
        for (marker, instead) in [("quote it: \"", "write"), ("ujmij go w cudzysłów: \"", "napisz")] {
            guard let quote = hint.range(of: marker) else { continue }
            let text = hint[quote.upperBound...].dropLast()
            if text.contains(where: { $0 == "\\" || $0 == "\"" || $0 == "'" }) { return hint }
            return hint[..<quote.lowerBound] + (takesText ? "\(instead) --text '\(text)'" : "\(instead) '\"\(text)\"'")
        }
        return hint
    }
}
