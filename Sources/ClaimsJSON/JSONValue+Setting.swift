// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

extension JSONValue {
    /// The value with another one at `pointer`: in place of the existing one, or as a new last member of an object.
    ///
    /// - Returns: nil if nothing can be put there, because there is neither such an element nor an object around it.
    public func setting(_ pointer: JSONPointer, to value: JSONValue) -> JSONValue? {
        setting(pointer.tokens[...], to: value)
    }

    private func setting(_ tokens: ArraySlice<[UInt8]>, to value: JSONValue) -> JSONValue? {
        guard let token = tokens.first else { return value }
        let rest = tokens.dropFirst()
        switch self {
        case .object(var object):
            let key = String(decoding: token, as: UTF8.self)
            guard rest.isEmpty || object[key] != nil, let child = (object[key] ?? .null).setting(rest, to: value)
            else { return nil }
            object[key] = child
            return .object(object)
        case .array(var elements):
            guard let index = JSONPointer.arrayIndex(token), elements.indices.contains(index),
                let child = elements[index].setting(rest, to: value)
            else { return nil }
            elements[index] = child
            return .array(elements)
        default: return nil
        }
    }
}
