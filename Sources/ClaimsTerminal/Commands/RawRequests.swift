// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON

/// The lines of `raw` that have no answer yet, by their ids.
struct RawRequests {
    /// The concern of a line from the daemon.
    enum Arrival {
        /// One of the requests, which is answered now.
        case answer
        /// One of the requests, whose answer goes on.
        case part
        /// None of them.
        case other
    }

    private var count = 0
    private var ids: [String] = []

    /// Whether answers are still to come.
    var areOpen: Bool { count > 0 }

    /// Notes a line that is sent.
    mutating func add(_ line: [UInt8]) {
        count += 1
        if let id = (try? AnswerDocument(line).root)?["id"].flatMap(Self.name) { ids.append(id) }
    }

    /// Takes note of a line that has come.
    mutating func take(_ line: AnswerValue) -> Arrival {
        if line["method"] != nil {
            let request = line["params"]?["request"].flatMap(Self.name)
            return request.map { ids.contains($0) } == true ? .part : .other
        }
        guard areOpen else { return .other }
        // The daemon answers a line that is no request, and what is no answer at all, without an id.
        if let id = line["id"] {
            guard let index = Self.name(id).flatMap({ ids.firstIndex(of: $0) }) else { return .other }
            ids.remove(at: index)
        }
        count -= 1
        return .answer
    }

    /// The text of an id; one that is a string differs from a number of the same digits.
    private static func name(_ id: AnswerValue) -> String? {
        switch id.kind {
        case .string: id.string.map { "\"" + $0 }
        case .number: id.source
        default: nil
        }
    }
}
