// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `detail`: the id of one record.
public struct DetailParameters: MethodParameters, Equatable {
    /// The name of the collection, or its singular; required.
    public var collection = ""
    /// The id of the record; required.
    public var id: RecordID = ""
    /// The language of labels, such as `pl`; with nil the answer has no labels.
    public var language: String?
    /// The maximum age of the data, in milliseconds; older data is refused with `not_fresh`. Nil accepts any age.
    public var maxAge: Int64?

    public static var id: Parameter<RecordID> { Parameter("id", "The id of the record.") }

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.required(.collection, &collection)
        try visitor.required(Self.id, &id)
        try visitor.optional(.maxAge, &maxAge)
    }
}

/// The result of `detail`: a record with all fields, the upstream's object, and the origin of both.
public enum DetailResult: ResultObject {
    public static let record = Member<RecordObject>("record", "All fields.")
    public static let upstream = Member<AnyResult>("upstream", "The object as the upstream sent it.")
    public static let provenance = Member<Provenance>(
        "provenance", "source, fetched_at, first_seen, changed_at, generation, archived_at and archived_by.")
    public static let labels = Member<Labels>.optional("labels", "Labels of its codes.")
    public static let meta = Member<Meta>.meta

    public static var memberList: [MemberDescription] { describe(.rows, record, upstream, provenance, labels, meta) }

    /// The origin of a record: its source, and the times at which it was fetched, first seen, changed and archived.
    public enum Provenance: ResultObject {
        public static let source = Member<String?>("source")
        public static let fetchedAt = Member<InstantText?>("fetched_at")
        public static let firstSeen = Member<InstantText>("first_seen")
        public static let changedAt = Member<InstantText>("changed_at")
        public static let generation = Member<Int64>("generation")
        public static let archivedAt = Member<InstantText>.optional("archived_at")
        public static let archivedBy = Member<String>.optional("archived_by")
        public static let submittedAt = Member<InstantText>.optional("submitted_at", "Of what was written here.")
        public static let submittedBy = Member<String>.optional("submitted_by", "The name of the user.")
        public static let op = Member<String>.optional("op", "The last operation that wrote it.")

        public static var memberList: [MemberDescription] {
            describe(.all, source, fetchedAt, firstSeen, changedAt, generation)
                + describe(.rows, archivedAt, archivedBy) + describe(.all, submittedAt, submittedBy, op)
        }
    }
}

extension MethodDescription {
    static let detail = MethodDescription(
        .detail, "detail", summary: "Answers everything about one record.",
        polish: "Zwraca wszystko o jednym rekordzie.", parameters: DetailParameters.self,
        result: DetailResult.self,
        example: { parameters in
            parameters.collection = placeholder
            parameters.id = "1"
        })
}
