// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// An entry of a feed: what became of one record of its set.
public enum FeedEntry: ResultObject {
    public static var typeName: String { "ChangesChange" }

    public static let op = Member<String>("op", "added to the set, updated in it, or removed from it.")
    public static let collection = Member<String>.optional("collection", "Where the request names none.")
    public static let id = Member<String>("id")
    public static let seq = Member<Int64>.optional(
        "seq", "The sequence of the record's last change; in a fresh set there is none.")
    public static let at = Member<InstantText>.optional("at", "When it changed.")
    public static let cause = Member<String>.optional(
        "cause", "refresh, write, archive, definition, forget, recovery or time; there may be more.")
    public static let changed = Member<[String]>.optional("changed", "Updated: the names of the fields that differ.")
    public static let was = Member<RecordObject>.optional(
        "was", "Updated: these fields as they were. Removed: all fields asked for.")
    public static let record = Member<RecordObject>.optional("record", "Added and updated: the record as it is now.")
    public static let reason = Member<String>.optional(
        "reason",
        "Removed: renamed, quarantined, gone, archived, unarchived or no_longer_matches; there may be more.")
    public static let to = Member<String>.optional("to", "Renamed: the id that the record has now.")

    public static var memberList: [MemberDescription] {
        describe(.rows, op, collection, id, seq, at, cause, changed, was, record, reason) + describe(.nothing, to)
    }
}
