// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The query of an address: the parameters between `?` and `#` (RFC 3986, section 3.4).
public enum AddressQuery {
    /// The address with these parameters behind its own, percent-encoded.
    public static func appending(_ parameters: [QueryParameter], to address: String) -> String {
        let pairs = parameters.flatMap { parameter in
            parameter.values.map { "\(PercentEncoding.encode(parameter.name))=\(PercentEncoding.encode($0))" }
        }
        return pairs.isEmpty ? address : parts(of: address).with(pairs)
    }

    /// The address with one parameter set, in place of all of that name.
    public static func setting(_ name: String, to value: String, in address: String) -> String {
        var parts = parts(of: address)
        let wanted = Array(name.utf8)
        parts.pairs.removeAll { pair in PercentEncoding.decode(pair.prefix { $0 != "=" }) == wanted }
        return parts.with(["\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"])
    }

    private struct Parts {
        /// All before the `?`.
        let base: Substring
        var pairs: [Substring]
        /// The `#` and all behind it.
        let fragment: Substring

        func with(_ more: [String]) -> String {
            "\(base)?\((pairs.map(String.init) + more).joined(separator: "&"))\(fragment)"
        }
    }

    private static func parts(of address: String) -> Parts {
        let end = address.firstIndex(of: "#") ?? address.endIndex
        let mark = address[..<end].firstIndex(of: "?") ?? end
        return Parts(
            base: address[..<mark], pairs: address[mark..<end].dropFirst().split(separator: "&"),
            fragment: address[end...])
    }
}
