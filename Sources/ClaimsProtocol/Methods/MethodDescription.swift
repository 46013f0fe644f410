// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
public import ClaimsModel

/// The row of one method: the source of `describe`, of the manual, of the readers of parameters, and of the Python
/// client.
///
/// It is in the method's own file, `Methods/METHOD.swift`, beside its parameters and its result.
public struct MethodDescription: Sendable {
    /// The method that is described.
    public let method: Method
    /// The name of the method on the wire, in ASCII.
    public let name: String
    /// The effect of the method in one sentence, for people.
    public let summary: TranslatedText
    /// The role that every call needs; some parameters need a higher one.
    public let role: Role
    /// Whether a request does something beside being answered.
    package let hasEffect: Bool
    /// Whether a request is about the connection that it comes on, so that it means nothing on another one.
    package let isOfConnection: Bool
    /// Reads the parameters of a request, and throws as their own initializer does.
    package let check: @Sendable (borrowing Arguments) throws(RequestError) -> Void
    private let resultKind: any ResultObject.Type
    // Made when they are asked for: most programs that know the methods need none of them.
    private let makeParameters: @Sendable (RequestBounds) -> [ParameterDescription]
    private let exampleID: Int
    private let makeExample: @Sendable () -> [UInt8]

    /// - Parameters:
    ///   - summary: the effect of the method in English, and `polish` in Polish.
    ///   - exampleID: the id of the example.
    ///   - example: sets the parameters of a request that works against any daemon; ``placeholder`` stands for the name
    ///     of a collection.
    init<Parameters: MethodParameters, Result: ResultObject>(
        _ method: Method, _ name: String, summary: String, polish: String, role: Role = .read, hasEffect: Bool = false,
        isOfConnection: Bool = false, parameters: Parameters.Type, result: Result.Type, exampleID: Int = 1,
        example: @escaping @Sendable (inout Parameters) -> Void = { _ in }
    ) {
        self.method = method
        self.name = name
        self.summary = TranslatedText(en: summary, pl: polish)
        self.role = role
        self.hasEffect = hasEffect
        self.isOfConnection = isOfConnection
        check = { arguments throws(RequestError) in _ = try Parameters(arguments) }
        resultKind = Result.self
        makeParameters = { Parameters.descriptions(within: $0) }
        self.exampleID = exampleID
        makeExample = {
            var parameters = Parameters()
            example(&parameters)
            var writer = JSONWriter()
            writer.beginObject()
            parameters.write(to: &writer)
            writer.endObject()
            return writer.bytes
        }
    }

    /// The shape of the result.
    public var shape: ResultShape { .object(resultKind) }

    /// The members of the result, in the order in which `describe` lists them.
    public var result: [MemberDescription] { resultKind.memberList }

    /// The data that the method gives a peer that sees only a part of a collection.
    public var limited: LimitedShare {
        let shares = Set(result.map(\.limited))
        return shares.count == 1 ? shares.first ?? .all : shares.isEmpty ? .all : .rows
    }

    /// The parameters under the default settings, in the order in which a reader visits them.
    public var parameters: [ParameterDescription] { makeParameters(.standard) }

    /// The text in an example for the name of a collection.
    public static let placeholder = "EXAMPLE"

    /// A request that works against any daemon with this collection, as one line of JSON without a newline.
    public func example(collection: String) -> String {
        var parameters = ""
        let exampleParameters = makeExample()
        if exampleParameters.count > 2 {
            let object = String(decoding: exampleParameters, as: UTF8.self)
            let named = object.split(separator: Self.placeholder, omittingEmptySubsequences: false)
            parameters = #","params":\#(named.joined(separator: collection))"#
        }
        return #"{"id":\#(exampleID),"method":"\#(name)"\#(parameters)}"#
    }

    /// Writes the description as `describe` answers it:
    /// `{"name","summary","role","params":SCHEMA,"result":SCHEMA,"example":REQUEST}`.
    ///
    /// - Parameters:
    ///   - collection: the name of the collection in the example.
    ///   - language: the language of the summary, such as `pl`.
    ///   - bounds: the settings that bound some parameters, which the schemas show.
    public func write(
        to writer: inout JSONWriter, collection: String, language: String = "en", bounds: RequestBounds = .standard
    ) {
        writer.beginObject()
        writer.member(MethodEntry.name, name)
        writer.member(MethodEntry.summary, summary.text(language))
        writer.member(MethodEntry.role, role.rawValue)
        writer.member(MethodEntry.limited, limited.rawValue)
        writer.key(MethodEntry.params)
        writeParameterSchema(makeParameters(bounds), to: &writer)
        writer.key(MethodEntry.result)
        shape.writeSchema(to: &writer)
        writer.key(MethodEntry.example)
        writer.raw(Array(example(collection: collection).utf8))
        writer.endObject()
    }

    private func writeParameterSchema(_ parameters: [ParameterDescription], to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("type", "object")
        writer.key("properties")
        writer.beginObject()
        for parameter in parameters {
            writer.key(parameter.name)
            var description = JSONWriter()
            description.string(parameter.summary)
            let defaultMember = parameter.defaultJSON.map { #","default":\#($0)"# } ?? ""
            // A schema is an object; the description goes before its first member, the default after its last.
            let rest = "," + parameter.shape.schema.dropFirst().dropLast() + defaultMember + "}"
            writer.raw(Array("{\"description\":".utf8) + description.bytes + Array(rest.utf8))
        }
        writer.endObject()
        let required = parameters.filter(\.isRequired).map(\.name)
        if !required.isEmpty {
            writer.key("required")
            writer.array(required)
        }
        writer.member("additionalProperties", false)
        writer.endObject()
    }
}

/// A method in the answer of `describe`.
public enum MethodEntry: ResultObject {
    public static var typeName: String { "DescribeMethod" }

    public static let name = Member<String>("name")
    public static let summary = Member<String>("summary")
    public static let role = Member<String>("role", "The role that every call needs.")
    public static let limited = Member<String>(
        "limited",
        "What a peer gets that a rule shows a part: all, rows (its part) or nothing; members have it as x-limited.")
    public static let params = Member<AnyResult>("params", "A JSON Schema of the parameters.")
    public static let result = Member<AnyResult>("result", "A JSON Schema of the result.")
    public static let example = Member<AnyResult>("example", "A request that works.")

    public static var memberList: [MemberDescription] {
        describe(.all, name, summary, role, limited, params, result, example)
    }
}
