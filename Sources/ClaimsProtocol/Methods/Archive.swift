// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `archive` and of `unarchive`: the records to change, by id or by filter.
public struct ArchiveParameters: MethodParameters, Equatable {
    /// The name of the collection, or its singular; required.
    public var collection = ""
    /// The ids of the records to change, at most ``maxIDs``; nil if ``filter`` selects them.
    public var ids: RecordIDList?
    /// The filter whose matches are changed; nil if ``ids`` selects the records.
    public var filter: FilterValue?
    /// Whether the answer only shows what would change, and nothing is changed.
    public var isDryRun = false
    /// The IANA name of the time zone of dates in the filter; nil for UTC.
    public var timeZone: String?
    /// The maximal time of the filter's query, in milliseconds; nil for the setting `limits.request`.
    public var timeout: Int64?
    /// The language of messages, such as `pl`; nil for the daemon's setting.
    public var language: String?

    /// The maximum number of ids in one request; a request with more is refused with `too_large`.
    public static let maxIDs = 100_000

    public static var ids: Parameter<RecordIDList> { Parameter("ids", "The ids of the records.") }

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.required(.collection, &collection)
        try visitor.optional(Self.ids, &ids)
        try visitor.optional(Parameter("filter", "Instead of ids: every record that matches."), &filter)
        try visitor.defaulted(
            Parameter("dry_run", "Tell what would change, and change nothing.", default: false), &isDryRun)
        try visitor.optional(.timeZone, &timeZone)
        try visitor.optional(.timeout, &timeout)
    }
}

/// The result of `archive` and of `unarchive`: the ids that changed, the ids that were in that state already, and the
/// ids without a record.
public enum ArchiveResult: ResultObject {
    public static let changed = Member<[String]>("changed", "The ids that changed.")
    public static let unchanged = Member<[String]>("unchanged", "The ids that were so already.")
    public static let missing = Member<[String]>("missing", "The ids that are not there.")
    public static let clock = Member<String>("clock", "The clock after the change.")

    public static var memberList: [MemberDescription] {
        describe(.rows, changed, unchanged, missing) + describe(.all, clock)
    }
}

extension MethodDescription {
    static let archive = MethodDescription(
        .archive, "archive", summary: "Hides records from lists until they are unarchived.",
        polish: "Ukrywa rekordy na listach, dopóki nie wrócą z archiwum.", role: .archive,
        hasEffect: true, parameters: ArchiveParameters.self, result: ArchiveResult.self, example: setArchiveExample)

    fileprivate static func setArchiveExample(_ parameters: inout ArchiveParameters) {
        parameters.collection = placeholder
        parameters.ids = ["1"]
        parameters.isDryRun = true
    }

    static let unarchive = MethodDescription(
        .unarchive, "unarchive", summary: "Shows archived records in lists again.",
        polish: "Przywraca na listy rekordy z archiwum.", role: .archive,
        hasEffect: true, parameters: ArchiveParameters.self, result: ArchiveResult.self, example: setArchiveExample)
}
