// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The hints that claimsctl prints for people when a collection has a problem.
public enum Advice {
    /// The hint for a collection without data; `nil` when the daemon's own hint is better.
    public static func forNoData(_ meta: CollectionMeta?) -> String? {
        guard let meta, !meta.collection.isEmpty else { return nil }
        let name = meta.collection
        switch meta.state {
        case "loading":
            return "the first fetch is under way; to wait for it: claimsctl refresh --collection \(name) --wait"
        case "failed":
            return "to try again now: claimsctl refresh --collection \(name) --wait; more: claimsctl status"
        default: return nil
        }
    }

    /// The hint for data that is older than the command line accepts; `nil` for an unknown collection.
    public static func forOldData(_ meta: CollectionMeta?) -> String? {
        guard let name = meta?.collection, !name.isEmpty else { return nil }
        return "to ask the upstream now: claimsctl refresh --collection \(name) --wait"
    }

    /// The hint for a refresh that failed, by the kind of the failure; `nil` for a kind without a hint.
    public static func forFailure(_ failure: CollectionMeta.Failure, collection: String) -> String? {
        let file = "collections.d/\(collection).json5"
        switch failure.kind {
        case "invalid_url": return "correct source.url in \(file)"
        case "unreachable", "timeout": return "check the network and the upstream; it is tried again by itself"
        case "tls": return "check the upstream's certificate and this machine's clock"
        case "http_status":
            switch failure.status {
            case 401, 403: return "check source.credential and source.headers in \(file)"
            case 404, 410: return "check source.url in \(file)"
            default: return "the upstream has to be put right; it is asked again by itself"
            }
        case "redirect": return "put the final address into source.url in \(file)"
        case "too_large": return "raise limits.body, if this much is meant to come"
        case "credential":
            return "put what source.credential in \(file) names into /etc/claimsd/credentials, and: "
                + "systemctl restart claimsd"
        case "file": return "check that the file is there and that the daemon may read it"
        case "join": return "check source.join in \(file)"
        case "held": return "if it is right: claimsctl refresh --collection \(collection) --accept --wait"
        case "not_json", "wrong_shape", "encoding", "truncated", "protocol":
            return "check what source.url and source.root in \(file) lead to"
        default: return nil
        }
    }

    /// The daemon's hint in a form that survives a shell: advice to quote a text becomes advice to use `--text`.
    ///
    /// Any other hint is returned as it is.
    public static func forShell(_ hint: String) -> String {
        let marker = "quote it: \""
        guard hint.hasSuffix("\""), let quote = hint.range(of: marker) else { return hint }
        let text = hint[quote.upperBound...].dropLast()
        if text.contains(where: { $0 == "\\" || $0 == "\"" || $0 == "'" }) { return hint }
        return hint[..<quote.lowerBound] + "write --text '\(text)'"
    }
}

extension String {
    /// Where `text` is found first.
    fileprivate func range(of text: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
