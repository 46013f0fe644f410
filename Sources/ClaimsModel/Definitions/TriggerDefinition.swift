// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A trigger: the set of records that it watches, what it reports of their changes, and the command that gets it.
public struct TriggerDefinition: Sendable, Equatable {
    /// The kinds of entries that a batch has.
    public enum Event: String, Sendable, CaseIterable {
        /// A record has come into the set.
        case added
        /// A compared field of a record of the set differs.
        case updated
        /// A record has left the set.
        case removed
        /// The condition of the collection differs.
        case state
    }

    /// The treatment of what matches at the first run.
    public enum First: String, Sendable, CaseIterable {
        /// It counts as reported.
        case skip
        /// It is reported.
        case all
    }

    /// The times at which a trigger may read the changes to report.
    public enum Pace: Sendable, Equatable {
        /// At least this time lies between two cuts.
        case every(Duration)
        /// Only at these times of day, in minutes after midnight, rising.
        case at([Int])
    }

    /// The name, which the file, the unit and the state's folder have.
    public let name: String
    /// The name of the collection.
    public let collection: String
    /// The name of the view whose filter applies; nil for none.
    public let view: String?
    /// The filter that records match in addition; nil for none.
    public let filter: String?
    /// The treatment of archived records.
    public let archived: ArchivedMode
    /// The names of the fields that are reported and compared; nil for all.
    public let fields: [String]?
    /// The IANA name of the time zone of days and of ``Pace/at(_:)``; nil for the machine's.
    public let timeZone: String?
    /// The kinds of entries that a batch has.
    public let events: Set<Event>
    /// The treatment of what matches at the first run.
    public let first: First
    /// The times at which the trigger may read the changes.
    public let pace: Pace
    /// The program, by its absolute path, and its arguments; nil for a trigger that is only shipped.
    public let command: [String]?
    /// The maximal time of the command.
    public let timeout: Duration

    init(
        name: String, collection: String, view: String? = nil, filter: String? = nil, archived: ArchivedMode = .exclude,
        fields: [String]? = nil, timeZone: String? = nil, events: Set<Event> = [.added], first: First = .skip,
        pace: Pace = .every(.zero), command: [String]? = nil, timeout: Duration = standardTimeout
    ) {
        self.name = name
        self.collection = collection
        self.view = view
        self.filter = filter
        self.archived = archived
        self.fields = fields
        self.timeZone = timeZone
        self.events = events
        self.first = first
        self.pace = pace
        self.command = command
        self.timeout = timeout
    }

    /// The same trigger, which reports what matches at the first run.
    public var reportingAll: TriggerDefinition {
        TriggerDefinition(
            name: name, collection: collection, view: view, filter: filter, archived: archived, fields: fields,
            timeZone: timeZone, events: events.union([.added]), first: .all, pace: pace, command: command,
            timeout: timeout)
    }

    /// The maximal time of a command if its file does not set one.
    public static let standardTimeout: Duration = .seconds(300)
    /// The bounds of ``timeout``.
    public static let timeoutRange: ClosedRange<Duration> = .seconds(1)...(.seconds(3600))
    /// The longest time between two cuts.
    public static let maxEvery: Duration = .seconds(30 * 86_400)
    /// The maximal number of times of day.
    public static let maxTimes = 48
    /// The maximal length of a name, in bytes: the user of its unit is called `trigger-NAME`.
    public static let maxNameLength = 23
    /// The words that no trigger may be called, as `claimsctl trigger` does something else with them.
    public static let reservedNames: Set<String> = ["run", "test", "skip", "text"]

    /// Whether a name has the form `[a-z][a-z0-9-]{0,22}` and is no reserved word.
    public static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
        return name.utf8.count <= maxNameLength && !reservedNames.contains(name)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
