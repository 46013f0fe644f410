// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A family of metrics. The raw value is its name without the prefix.
public enum MetricFamily: String, CaseIterable, Sendable {
    case up
    case buildInfo = "build_info"
    case uptime = "uptime_seconds"
    case requests = "requests_total"
    case clients
    case memory = "memory_bytes"
    case disk = "disk_bytes"
    case problems
    case pendingOperations = "pending_operations"
    case records
    case archivedRecords = "archived_records"
    case quarantinedRecords = "quarantined_records"
    case viewRecords = "view_records"
    case condition
    case asOf = "as_of_timestamp_seconds"
    case nextRefresh = "next_refresh_timestamp_seconds"
    case ttl = "ttl_seconds"
    case expires = "expires_seconds"
    case fleetContact = "fleet_contact_timestamp_seconds"
    case fleetLeads = "fleet_leads"
    case marksQueued = "marks_queued"
    case triggerUp = "trigger_up"
    case triggerMembers = "trigger_members"
    case triggerReported = "trigger_told_timestamp_seconds"

    /// The type of a family.
    enum Kind: String {
        case gauge, counter
    }

    /// The name, as Prometheus stores it.
    public var name: String { "claimsd_" + rawValue }

    var kind: Kind { self == .requests ? .counter : .gauge }

    /// The names of the labels of its samples.
    public var labels: [String] {
        switch self {
        case .buildInfo: ["version"]
        case .pendingOperations: ["state"]
        case .records, .archivedRecords, .quarantinedRecords, .asOf, .nextRefresh, .ttl, .expires: ["collection"]
        case .viewRecords: ["collection", "view"]
        case .condition: ["collection", "condition"]
        case .triggerUp, .triggerMembers, .triggerReported: ["trigger"]
        case .fleetContact: ["host"]
        case .fleetLeads: ["source"]
        case .up, .uptime, .requests, .clients, .memory, .disk, .problems, .marksQueued: []
        }
    }

    /// Its meaning, in one sentence without line breaks and backslashes.
    public var help: String {
        switch self {
        case .up: "Whether the daemon answers."
        case .buildInfo: "The version of the daemon."
        case .uptime: "How long the daemon has served."
        case .requests: "How many requests the daemon has answered since its start."
        case .clients: "How many connections there are."
        case .memory: "Anonymous memory in use."
        case .disk: "State and cache on disk."
        case .problems: "How many mistakes stand in the configuration."
        case .pendingOperations: "How many operations are to go to upstreams."
        case .records: "How many records are served, without archived ones."
        case .archivedRecords: "How many records are archived."
        case .quarantinedRecords: "How many elements of the upstream are no records."
        case .viewRecords: "How many records a view shows."
        case .condition: "1 for the condition of the collection, 0 for all others."
        case .asOf: "When the upstream last confirmed the data."
        case .nextRefresh: "When the upstream is asked next."
        case .ttl: "How old data may be before it is stale."
        case .expires: "How old data may be before it has expired."
        case .fleetContact: "When the address of the leader last answered with a good head."
        case .fleetLeads: "Whether this host asks the upstream of the source for the fleet."
        case .marksQueued: "How many archive marks are to go to the database of the fleet."
        case .triggerUp: "Whether the trigger tells what there is to tell, now or once the daemon is back."
        case .triggerMembers: "How many records the trigger has told, and still has in its set."
        case .triggerReported: "When a command of the trigger last ended well."
        }
    }
}
