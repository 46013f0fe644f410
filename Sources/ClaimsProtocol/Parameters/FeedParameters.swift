// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// The parameters that describe a feed beside its collection: whose changes are told, and what is told of each.
///
/// The set of a feed holds what `search` answers to the same parameters.
public struct FeedParameters: Sendable, Equatable {
    /// The filter that a record of the set matches; nil matches every record.
    public var filter: FilterValue?
    /// The name of a view of the definition, whose filter applies in addition; nil for none.
    public var view: String?
    /// The treatment of archived records.
    public var archived: ArchivedMode = .exclude
    /// The names of the fields that are told, beside the id; nil for all fields.
    public var fields: NameList?
    /// The IANA name of the time zone of dates in the filter; nil for UTC.
    public var timeZone: String?

    public init() {}

    mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.optional(.filter, &filter)
        try visitor.optional(.view, &view)
        try visitor.defaulted(.archived, &archived)
        try visitor.optional(PageParameters.fields, &fields)
        try visitor.optional(.timeZone, &timeZone)
    }
}
