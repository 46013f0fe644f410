// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// An origin of upstreams that operations are not sent to for a while.
public enum PausedOrigin: ResultObject {
    public static let origin = Member<String>("origin", "Scheme, host and port.")
    public static let since = Member<InstantText>("since")
    public static let reason = Member<String>("reason", "What people read.")
    public static let nextTry = Member<InstantText>("next_try", "When one operation is sent to see.")

    public static var memberList: [MemberDescription] { describe(origin, since, reason, nextTry) }
}

/// The notification that tells how far an operation is, of a request of `outbox` with `wait`.
public enum ProgressNotification: ResultObject {
    /// The name of the notification on the wire.
    public static let method = "progress"

    public static let request = Member<AnyResult>("request", "The id of the request.")
    public static let op = Member<String>("op", "The operation.")
    public static let sent = Member<Int64>("sent", "How many bytes of the body are sent.")
    public static let size = Member<Int64>("size", "How many bytes the body has.")
    public static let file = Member<Int>.optional("file", "The file that is being sent, from 1.")
    public static let files = Member<Int>.optional("files", "How many files the operation has.")

    public static var memberList: [MemberDescription] { describe(request, op, sent, size, file, files) }
}

/// How many operations are not settled, by how they fare.
public enum PendingCounts: ResultObject {
    public static let queued = Member<Int>("queued", "To be sent, or being sent.")
    public static let accepted = Member<Int>("accepted", "The upstream has said yes, and no refresh has shown it.")
    public static let stuck = Member<Int>("stuck", "Somebody has to look at them.")

    public static var memberList: [MemberDescription] { describe(queued, accepted, stuck) }
}

/// The member `pending` of a record: its operations that are not settled.
public enum PendingMark: ResultObject {
    public static let state = Member<String>("state", "The worst of queued, accepted and stuck.")
    public static let ops = Member<[Operation]>("ops", "The operations, in their order.")
    public static let fields = Member<[String]>("fields", "The fields that they give or set.")
    public static let attachments = Member<[AttachmentEntry]>.optional("attachments", "The files under way.")

    public static var memberList: [MemberDescription] { describe(state, ops, fields, attachments) }

    /// An operation of the record.
    public enum Operation: ResultObject {
        public static let op = Member<String>("op")
        public static let action = Member<String>("action")
        public static let state = Member<String>("state", "The state of the operation, as outbox tells it.")
        public static let message = Member<String>.optional("message", "detail: what people read about it.")

        public static var memberList: [MemberDescription] { describe(op, action, state, message) }
    }
}

/// A file of a record, as its field and `pending.attachments` list it.
public enum AttachmentEntry: ResultObject {
    public static let name = Member<String>("name")
    public static let type = Member<String>("type", "The media type, such as image/jpeg.")
    public static let size = Member<Int64>("size", "In bytes.")
    public static let sha256 = Member<String>("sha256", "In hexadecimal.")

    public static var memberList: [MemberDescription] { describe(name, type, size, sha256) }
}
