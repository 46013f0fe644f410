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
    ///
    /// - Parameter unit: the daemon's unit, which tells the folder of the definition and the command that reloads it;
    ///   nil if it is not known.
    static func forFailure(
        _ failure: CollectionMeta.Failure, collection: String, unit: DaemonUnit?
    ) -> String? {
        let file = (unit.map { $0.configurationFolder + "/" } ?? "") + "collections.d/\(collection).json5"
        let reload = unit.map { ", then: \($0.command("reload"))" } ?? ""
        let now = "to try now: claimsctl refresh --collection \(collection) --wait"
        switch failure.kind {
        case "invalid_url": return "correct source.url in \(file)\(reload)"
        case "unreachable", "timeout": return "check the network and the upstream; it is tried again by itself; \(now)"
        case "tls": return "check the upstream's certificate and this machine's clock; \(now)"
        case "http_status":
            switch failure.status {
            case 401, 403: return "check source.credential and source.headers in \(file)\(reload)"
            case 404, 410: return "check source.url in \(file)\(reload)"
            default: return "the upstream has to be put right; it is asked again by itself; \(now)"
            }
        case "redirect": return "put the final address into source.url in \(file)\(reload)"
        case "too_large": return "raise limits.body, if this much is meant to come"
        case "credential":
            let folder = unit.map { "\($0.configurationFolder)/credentials" } ?? "the folder of credentials"
            let restart = unit?.command("restart") ?? "restart claimsd"
            return "put what source.credential in \(file) names into \(folder), and: \(restart)"
        case "file": return "check that the file is there and that the daemon may read it; \(now)"
        case "join": return "check source.join in \(file)\(reload)"
        case "held": return "if it is right: claimsctl refresh --collection \(collection) --accept --wait"
        case "not_json", "wrong_shape", "encoding", "truncated", "protocol":
            return "check what source.url and source.root in \(file) lead to; \(now)"
        default: return nil
        }
    }

    /// The daemon's hint in a form that survives a shell: advice to quote a text becomes advice to use `--text`.
    ///
    /// Any other hint is returned as it is.
    public static func forShell(_ hint: String) -> String {
        guard hint.hasSuffix("\"") else { return hint }
        for (marker, instead) in [("quote it: \"", "write"), ("ujmij go w cudzysłów: \"", "napisz")] {
            guard let quote = hint.range(of: marker) else { continue }
            let text = hint[quote.upperBound...].dropLast()
            if text.contains(where: { $0 == "\\" || $0 == "\"" || $0 == "'" }) { return hint }
            return hint[..<quote.lowerBound] + "\(instead) --text '\(text)'"
        }
        return hint
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
