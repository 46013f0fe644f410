// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `describe`: the methods and collections to describe.
public struct DescribeParameters: MethodParameters, Equatable {
    /// The wire name of the only method to describe; nil describes all methods, or none if ``collection`` is set.
    public var method: String?
    /// The name or singular of the only collection to describe; nil describes all, or none if ``method`` is set.
    public var collection: String?
    /// The language of titles and labels, such as `pl`; nil for the daemon's setting.
    public var language: String?

    public static var method: Parameter<String> { Parameter("method", "Only this method.") }

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.optional(Self.method, &method)
        try visitor.optional(
            Parameter("collection", "Only this collection, by name or singular."), &collection)
    }
}

/// The result of `describe`: the methods and collections, each with its description.
public enum DescribeResult: ResultObject {
    public static let methods = Member<[MethodEntry]>.optional(
        "methods", "Name, summary, role, schemas and an example of each.")
    public static let events = Member<[EventEntry]>.optional(
        "events", "Beside all methods, and beside subscribe: type, summary, schema and an example of each event.")
    public static let collections = Member<[CollectionEntry]>.optional(
        "collections", "Fields, types, operators, sorts, views, vocabularies, groups and labels of each.")

    public static var memberList: [MemberDescription] { describe(.all, methods, events) + describe(.rows, collections) }

    /// A collection in the answer of `describe`.
    public enum CollectionEntry: ResultObject {
        public static var typeName: String { "DescribeCollection" }

        public static let name = Member<String>("name")
        public static let title = Member<String>("title")
        public static let singular = Member<String>("singular")
        public static let archive = Member<Bool>("archive", "Whether records can be archived.")
        public static let deal = Member<Bool>("deal", "Whether there are deals.")
        public static let list = Member<[String]>("list", "The fields of a list, in their order.")
        public static let groupBy = Member<String?>("group_by", "The field whose codes carry the groups.")
        public static let fields = Member<[FieldEntry]>("fields")
        public static let vocabularies = Member<ObjectMap<VocabularyEntry>>("vocabularies")
        public static let groups = Member<[GroupEntry]>("groups")
        public static let sort = Member<[String]>("sort", "The keys of the collection's order.")
        public static let sorts = Member<[OrderEntry]>("sorts", "The named orders.")
        public static let views = Member<[ViewEntry]>("views")
        public static let writes = Member<WritesEntry>.optional("writes", "Where records can be written here.")

        public static var memberList: [MemberDescription] {
            describe(.all, name, title, singular, archive, deal)
                + describe(.rows, list, groupBy, fields, vocabularies, groups, sort, sorts, views, writes)
        }
    }

    /// A field of a collection in the answer of `describe`.
    public enum FieldEntry: ResultObject {
        public static var typeName: String { "DescribeCollectionField" }

        public static let name = Member<String>("name")
        public static let type = Member<String>("type")
        public static let title = Member<String>.optional("title")
        public static let search = Member<Bool>("search", "Whether free text looks in it.")
        public static let required = Member<Bool>("required")
        public static let volatile = Member<Bool>("volatile", "Whether nothing tells when its value changes alone.")
        public static let bold = Member<Bool>("bold")
        public static let lines = Member<Int>("lines", "How many lines it may take in a list.")
        public static let vocabulary = Member<String>.optional("vocabulary")
        public static let mask = Member<String>.optional(
            "mask", "Of access: the form in which the value is shown; nothing is compared by it.")
        public static let operators = Member<[String]>("operators")

        public static var memberList: [MemberDescription] {
            describe(.all, name, type, title, search, required, volatile, bold, lines, vocabulary, mask, operators)
        }
    }

    /// A vocabulary in the answer of `describe`: the codes that an enum field can have.
    public enum VocabularyEntry: ResultObject {
        public static var typeName: String { "DescribeCollectionVocabularies" }

        public static let fallback = Member<String>("fallback", "The code of any other value.")
        public static let absent = Member<String?>("absent", "The code of a missing value.")
        public static let codes = Member<[CodeEntry]>("codes")

        public static var memberList: [MemberDescription] { describe(.all, fallback, absent, codes) }
    }

    /// A code of a vocabulary in the answer of `describe`.
    public enum CodeEntry: ResultObject {
        public static var typeName: String { "DescribeCollectionVocabulariesCode" }

        public static let code = Member<String>("code")
        public static let rank = Member<Int>("rank")
        public static let group = Member<String>.optional("group")
        public static let badge = Member<String>.optional("badge")
        public static let label = Member<String>("label")

        public static var memberList: [MemberDescription] { describe(.all, code, rank, group, badge, label) }
    }

    /// A group of records in the answer of `describe`.
    public enum GroupEntry: ResultObject {
        public static var typeName: String { "DescribeCollectionGroup" }

        public static let key = Member<String>("key")
        public static let label = Member<String>("label")

        public static var memberList: [MemberDescription] { describe(.all, key, label) }
    }

    /// A named sort order in the answer of `describe`.
    public enum OrderEntry: ResultObject {
        public static var typeName: String { "DescribeCollectionSort" }

        public static let name = Member<String>("name")
        public static let keys = Member<[String]>("keys")

        public static var memberList: [MemberDescription] { describe(.all, name, keys) }
    }

    /// A view, a named filter of the definition, in the answer of `describe`.
    public enum ViewEntry: ResultObject {
        public static var typeName: String { "DescribeCollectionView" }

        public static let name = Member<String>("name")
        public static let filter = Member<String>("filter")
        public static let title = Member<String>.optional("title")

        public static var memberList: [MemberDescription] { describe(.all, name, filter, title) }
    }
}

/// The operations that a collection offers, in the answer of `describe`.
public enum WritesEntry: ResultObject {
    public static var typeName: String { "DescribeWrites" }

    public static let to = Member<String>("to", "local: this host is the truth. upstream: what is written goes there.")
    public static let actions = Member<[ActionEntry]>("actions", "What submit takes: create, update, delete, others.")

    public static var memberList: [MemberDescription] { describe(.all, to) + describe(.rows, actions) }

    /// One action that `submit` accepts.
    public enum ActionEntry: ResultObject {
        public static var typeName: String { "DescribeWritesAction" }

        public static let name = Member<String>("name")
        public static let title = Member<String>("title")
        public static let role = Member<String>("role", "The role that it needs: write, or write:COLLECTION.")
        public static let isGranted = Member<Bool>("granted", "Whether you have the role.")
        public static let when = Member<String>.optional("when", "The filter that a record must match.")
        public static let fields = Member<AnyResult>(
            "fields", "A JSON Schema of `fields`; its properties stand in the order of the definition.")
        public static let files = Member<FileRules>.optional("files", "Where files can be attached.")

        public static var memberList: [MemberDescription] {
            describe(.all, name, title, role) + describe(.rows, isGranted) + describe(.all, when)
                + describe(.rows, fields, files)
        }
    }

    /// The rules for the files of a record.
    public enum FileRules: ResultObject {
        public static var typeName: String { "DescribeWritesFiles" }

        public static let field = Member<String>("field", "The field that lists them.")
        public static let types = Member<[String]>("types", "The media types that are taken.")
        public static let min = Member<Int>("min", "How many a record must have.")
        public static let max = Member<Int>("max", "How many a record may have.")
        public static let size = Member<Int64>("size", "The maximum size of one, in bytes.")

        public static var memberList: [MemberDescription] { describe(.all, field, types, min, max, size) }
    }
}

extension MethodDescription {
    static let describe = MethodDescription(
        .describe, "describe", summary: "Describes methods and collections.",
        polish: "Opisuje metody i kolekcje.",
        parameters: DescribeParameters.self, result: DescribeResult.self, example: { $0.method = "search" })
}
