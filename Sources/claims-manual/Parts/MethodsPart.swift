// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The methods of the protocol, from the table that `describe` answers from.
enum MethodsPart {
    /// The collection that the examples ask.
    private static let collection = Examples.collection

    static var blocks: [Block] { MethodTable.descriptions.flatMap(blocks) }

    private static func blocks(_ method: MethodDescription) -> [Block] {
        var blocks: [Block] = [.heading(level: 3, "`\(method.name)`"), .paragraph(summary(method))]
        if !method.parameters.isEmpty {
            blocks.append(
                .table(
                    header: ["Parameter", "Takes", "Meaning"],
                    rows: method.parameters.map { parameter in
                        ["`\(parameter.name)`", takes(parameter), parameter.summary]
                    }))
        }
        if method.result.isEmpty {
            blocks.append(.paragraph("The result is an empty object."))
        } else {
            blocks.append(.paragraph("The result:"))
            blocks.append(MembersPart.table(method.result))
        }
        return blocks + [
            .paragraph("For example:"),
            .code([method.example(collection: collection)]),
        ]
    }

    private static func takes(_ parameter: ParameterDescription) -> String {
        if parameter.isRequired { return parameter.shape.expectation + ", required" }
        guard let value = parameter.defaultJSON, value != "false" else { return parameter.shape.expectation }
        return parameter.shape.expectation + "; `\(value)` by default"
    }

    private static func summary(_ method: MethodDescription) -> String {
        method.role == .read
            ? method.summary.text("en") : "\(method.summary.text("en")) Needs the role `\(method.role.rawValue)`."
    }
}

/// The members of results and events, each with the part that a peer gets that sees only a part of a collection.
enum MembersPart {
    static func table(_ members: [MemberDescription]) -> Block {
        .table(
            header: ["Member", "Limited view", "Meaning"],
            rows: members.map { ["`\($0.name)`", words(for: $0.limited), $0.summary] })
    }

    private static func words(for share: LimitedShare) -> String {
        switch share {
        case .all: "all"
        case .rows: "its part"
        case .nothing: "nothing"
        }
    }
}

/// The kinds of events of a subscription.
enum EventsPart {
    /// The collection that the examples are about.
    private static let collection = Examples.collection

    static var blocks: [Block] {
        EventKind.allCases.map(\.description).flatMap { event in
            [
                .heading(level: 3, "Event `\(event.kind.rawValue)`"), .paragraph(event.summary),
                MembersPart.table(event.members),
                .code([event.example(collection: collection)]),
            ]
        }
    }
}

/// The kinds of errors with their codes.
enum ErrorsPart {
    static var block: Block {
        .table(
            header: ["`data.kind`", "Code", "Meaning"],
            rows: ErrorKind.allCases.map { ["`\($0.rawValue)`", "\($0.code)", meaning($0)] })
    }

    private static func meaning(_ kind: ErrorKind) -> String {
        switch kind {
        case .parseError: "The line is not JSON, or nested too deeply. Answered with `id: null`."
        case .invalidRequest:
            "The line is JSON but no request: a batch, a notification, a member given twice, an id that is in use."
        case .unknownMethod: "There is no such method; the hint names the nearest."
        case .badParams: "A parameter is unknown, missing or of the wrong shape; `parameter` names it."
        case .internal: "A defect of the daemon, or a state database that cannot be read; the journal says more."
        case .badFilter: "The filter cannot be read or does not fit the fields; `position` and `length` are in bytes."
        case .badSort: "A sort key is unknown, or its field has no order."
        case .badCursor:
            "The cursor is forged, belongs to another query, or is from before a change of what the query rests on."
        case .forbidden: "The peer lacks the role that `role` names."
        case .notFound: "There is no such record, request or entry."
        case .unknownCollection:
            "There is no such collection; the hint names the nearest, or the mistake in its definition."
        case .timeout: "The query took longer than it may, or than `timeout_ms`."
        case .conflict: "The request does not fit what is there, such as a refresh of a collection without a source."
        case .notArchivable: "The definition of the collection does not allow archiving."
        case .notAllowed:
            "The definition does not offer the action, or not for this record; `filter` tells for which it does."
        case .tooLarge: "The line, or the answer to it, is longer than it may be."
        case .invalid: "Values or files break rules; `errors` has `field`, `kind`, `message`, `hint` of each problem."
        case .notFresh: "The data is older than `max_age_ms`; `data.meta` says how old."
        case .busy: "There are too many connections or requests; try again after `retry_after_ms`."
        case .outboxFull: "The collection has as many unsettled operations as `limits.pending` allows."
        case .cancelled: "The request was cancelled."
        case .upstreamFailed: "The upstream failed."
        case .noData: "The collection has no data to serve; `data.meta` says why."
        case .storageFull: "There is no room on disk for the change. Reads go on."
        }
    }
}
