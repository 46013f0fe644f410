// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
import ClaimsModel

/// The beginning or end of a page, anywhere in its order: `"start"`, `"end"`, `{"id":"7"}` or `{"rank":40}`.
public enum AnchorValue: ParameterValue, Equatable {
    /// The first page.
    case start
    /// The last records, as many as a page has.
    case end
    /// The page that begins with the record of an id.
    case id(String)
    /// The page that begins with the record of a rank, from 0; past the end the last page.
    case rank(Int64)

    public static var shape: ParameterShape { .anchor }

    public static func read(
        _ node: Int, of arguments: borrowing Arguments, as parameter: Parameter<AnchorValue>
    ) throws(RequestError) -> AnchorValue {
        switch arguments.kind(node) {
        case .string:
            switch arguments.text(node) {
            case "start": return .start
            case "end": return .end
            default: throw arguments.mismatch(parameter)
            }
        case .object:
            guard let (name, value) = arguments.onlyMember(node) else { throw arguments.mismatch(parameter) }
            let kind = arguments.kind(value)
            if name == "id", kind == .string || kind == .number { return .id(arguments.text(value)) }
            if name == "rank", kind == .number, let rank = Int64(arguments.text(value)), rank >= 0 {
                return .rank(rank)
            }
            throw arguments.mismatch(parameter)
        default: throw arguments.mismatch(parameter)
        }
    }

    public func write(to writer: inout JSONWriter) {
        switch self {
        case .start: writer.string("start")
        case .end: writer.string("end")
        case .id(let id):
            writer.beginObject()
            writer.member("id", id)
            writer.endObject()
        case .rank(let rank):
            writer.beginObject()
            writer.member("rank", rank)
            writer.endObject()
        }
    }
}

/// The relation of a page to the record that it was asked to begin with.
public enum AnchorMatch: String, Sendable, CaseIterable, MemberValue {
    /// The page begins with the record.
    case exact
    /// The record does not match: the page begins after its position in the order.
    case after
    /// There is no such record: the page is the first one.
    case gone

    public static var resultShape: ResultShape { .string }
}
