// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `access`: the user whose view is shown.
public struct AccessParameters: MethodParameters, Equatable {
    /// The name of the user, or its number; nil for the peer itself.
    public var user: String?
    /// The language of messages, such as `pl`.
    public var language: String?

    public static var user: Parameter<String> {
        Parameter("user", "A user, by name or number; without it, you. Another user's needs the role admin.")
    }

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.optional(Self.user, &user)
    }
}

/// The result of `access`: the part of each collection that a user sees, and the actions that the user may do in it.
public enum AccessResult: ResultObject {
    public static let user = Member<String?>("user", "The name of the user; null where none is known.")
    public static let uid = Member<Int64>("uid", "The number of the user.")
    public static let groups = Member<[Int64]>(
        "groups",
        """
        The groups by number: yours as the kernel told them when you connected, another user's as the name service has \
        them.
        """)
    public static let collections = Member<[Collection]>(
        "collections", "All collections for the role admin; else those that you see.")

    public static var memberList: [MemberDescription] {
        describe(.all, user, uid, groups) + describe(.rows, collections)
    }

    /// One collection as the user sees it.
    public enum Collection: ResultObject {
        public static let collection = Member<String>("collection")
        public static let sees = Member<String>("sees", "none, limited or whole.")
        public static let rule = Member<Int64?>(
            "rule", "The number of the rule that holds, from 1; null where none limits the user, or none names it.")
        public static let rows = Member<[String]?>.optional(
            "rows", "For the role admin: filters any of which shows a record; null: all records.")
        public static let fields = Member<[String]?>("fields", "The fields that are shown whole; null: all.")
        public static let masks = Member<ObjectMap<String>>("masks", "The masks of fields, by their names.")
        public static let may = Member<[String]>("may", "The acts that roles and rules allow.")

        public static var memberList: [MemberDescription] {
            describe(.all, collection) + describe(.rows, sees, rule) + describe(.nothing, rows)
                + describe(.rows, fields, masks, may)
        }
    }
}

/// The part of a collection that a user sees, as `access` shows it.
public enum SeenPart: String, Sendable, CaseIterable {
    case none, limited, whole
}

extension MethodDescription {
    static let access = MethodDescription(
        .access, "access", summary: "Tells what a user sees of each collection, and may do in it.",
        polish: "Mówi, co użytkownik widzi w każdej kolekcji i co mu w niej wolno.",
        parameters: AccessParameters.self, result: AccessResult.self)
}
