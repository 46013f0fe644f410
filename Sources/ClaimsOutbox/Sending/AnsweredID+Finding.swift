// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsUpstream

extension AnsweredID {
    /// The id of a new record in an answer; nil where it has none that records can have.
    static func find(_ rule: WriteRequest.NewID, in answer: HTTPWriteAnswer) -> String? {
        let id: String?
        switch rule {
        case .pointer(let pointer):
            guard answer.isWhole else { return nil }
            var tape = JSONTape()
            guard (try? tape.parse(answer.body.rawSpan, depth: JSONValue.maximumDepth)) != nil,
                let node = tape.resolve(pointer, in: answer.body.rawSpan)
            else { return nil }
            let value = JSONValue(tape, node, in: answer.body.rawSpan)
            id = value.string ?? value.number
        case .location: id = answer.location.flatMap(lastSegment)
        }
        return id.flatMap { IDForm.objection(to: Array($0.utf8).rawSpan) == nil ? $0 : nil }
    }

    /// The last segment of an address' path, without percent-encoding; nil where that is no text.
    private static func lastSegment(_ address: String) -> String? {
        var path = Substring(address.prefix { $0 != "?" && $0 != "#" })
        if let mark = path.firstRange(of: "://") {
            guard let slash = path[mark.upperBound...].firstIndex(of: "/") else { return nil }
            path = path[slash...]
        }
        let segments = path.split(separator: "/")
        guard let last = segments.last else { return nil }
        guard let bytes = PercentEncoding.decodePath(last) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
