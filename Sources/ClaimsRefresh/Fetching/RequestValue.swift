// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
public import ClaimsModel
import ClaimsUpstream

/// A value that a request sends beside what its definition says.
public struct RequestValue: Sendable, Hashable {
    public let target: ParameterTarget
    public let value: JSONValue

    public init(_ target: ParameterTarget, _ value: JSONValue) {
        self.target = target
        self.value = value
    }

    /// The value as a parameter of a query: the text of a string, the characters of anything else.
    fileprivate var text: String {
        value.string ?? String(decoding: value.compactBytes, as: UTF8.self)
    }
}

extension FetchTarget {
    /// The first request for this target, with these values and those that were set before.
    func firstRequest(_ further: [RequestValue] = []) -> HTTPRequest {
        var address = AddressQuery.appending(request.query, to: url)
        var body = request.body
        for parameter in values + further {
            switch parameter.target {
            case .query(let name): address = AddressQuery.setting(name, to: parameter.text, in: address)
            // The reader of definitions has seen that the parent is there.
            case .body(let pointer): body = body?.setting(pointer, to: parameter.value) ?? body
            }
        }
        var result = HTTPRequest(
            url: address, headers: request.headers.map { ($0.name, $0.value) }, limits: HTTPLimits(limits))
        if passesCaches {
            result.headers.removeAll { $0.name.lowercased() == "cache-control" }
            result.headers.append((name: "Cache-Control", value: "no-cache"))
        }
        if request.method == .post {
            result.method = .post
            result.body = body?.compactBytes ?? []
        }
        return result
    }
}
