// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
public import ClaimsModel

/// A method of the protocol; the cases are in the order of `describe` and the manual.
///
/// A method is a case here, a row (``MethodDescription``) in `Methods/METHOD.swift` together with its parameters and its
/// result, a handler of the server, and, if it has a verb, a command of claimsctl.
public enum Method: UInt8, NamedMethod, CaseIterable {
    case hello
    case describe
    case ping
    case status
    case search
    case sort
    case count
    case facets
    case detail
    case history
    case explain
    case archive
    case unarchive
    case submit
    case outbox
    case attach
    case fetchAttachment
    case refresh
    case refreshes
    case changes
    case quarantine
    case forget
    case attempt
    case subscribe
    case unsubscribe
    case deal
    case access
    case fleet
    case cancel

    /// Finds the method with this name on the wire; nil for an unknown name.
    public init?(name: String) {
        guard let method = Method.allCases.first(where: { $0.name == name }) else { return nil }
        self = method
    }

    /// The name of the method on the wire, in ASCII.
    public var name: String { description.name }

    /// The position among ``allCases``.
    var index: Int { Int(rawValue) }

    /// Whether a request does something beside being answered.
    package var hasEffect: Bool { description.hasEffect }

    /// The members of the result, in the order in which `describe` lists them.
    public var result: [MemberDescription] { description.result }

    /// The row of the method: its name, summary, role, effect, parameters, result and example.
    ///
    /// Only this row is made: a client that sends one request does not need the rows of all methods, and making them
    /// takes longer than its whole request.
    public var description: MethodDescription {
        switch self {
        case .hello: .hello
        case .describe: .describe
        case .ping: .ping
        case .status: .status
        case .search: .search
        case .sort: .sort
        case .count: .count
        case .facets: .facets
        case .detail: .detail
        case .history: .history
        case .explain: .explain
        case .archive: .archive
        case .unarchive: .unarchive
        case .submit: .submit
        case .outbox: .outbox
        case .attach: .attach
        case .fetchAttachment: .fetchAttachment
        case .refresh: .refresh
        case .refreshes: .refreshes
        case .changes: .changes
        case .quarantine: .quarantine
        case .forget: .forget
        case .attempt: .attempt
        case .subscribe: .subscribe
        case .unsubscribe: .unsubscribe
        case .deal: .deal
        case .access: .access
        case .fleet: .fleet
        case .cancel: .cancel
        }
    }
}

/// The table of all methods: `describe`, the readers of parameters, the manual, the Python client and the tests use it.
public enum MethodTable {
    /// The descriptions of all methods, in the order of ``Method/allCases``.
    public static let descriptions: [MethodDescription] = Method.allCases.map(\.description)

    /// The names of the parameters of all methods, and the end of the names of each method.
    fileprivate static let parameters = descriptions.flatMap(\.parameters).map { PackedName($0.name) }
    private static let parameterEnds = descriptions.indices.map { index in
        descriptions[...index].map(\.parameters.count).reduce(0, +)
    }

    /// The range of a method's parameters among all parameters.
    fileprivate static func parameterRange(of method: Method) -> Range<Int> {
        let index = method.index
        return (index == 0 ? 0 : parameterEnds[index - 1])..<parameterEnds[index]
    }

    /// The methods by name, the most frequent first.
    private static let names: [(name: PackedName, method: Method)] = {
        let frequent: [Method] = [.detail, .search, .count, .sort]
        let rest = Method.allCases.filter { !frequent.contains($0) }
        return (frequent + rest).map { (PackedName($0.name), $0) }
    }()

    /// The method of that name, or nil.
    static func method(named name: PackedName) -> Method? {
        for index in names.indices where names[index].name == name { return names[index].method }
        return nil
    }

    /// The hint of an error about an unknown method: the most similar name, or, if none is similar, all names.
    public static func hint(for name: String) -> TranslatedText {
        let names = Method.allCases.map(\.name)
        let list = names.joined(separator: ", ")
        return Suggestion.question(name, among: names)
            ?? TranslatedText(en: "the methods are \(list)", pl: "metody to \(list)")
    }

    /// The message about an unknown method.
    public static func unknown(_ name: String) -> TranslatedText {
        TranslatedText(en: "unknown method '\(name)'", pl: "nieznana metoda „\(name)”")
    }
}

extension Arguments {
    /// Finds the parameters of a request in the tape of its line.
    ///
    /// If several members have the same name, the last counts. A null member counts as absent.
    ///
    /// - Parameters:
    ///   - object: the node of the `params` object; nil for a request without `params`.
    ///   - bounds: the settings that bound some parameters.
    /// - Throws: `bad_params` for a member that is no parameter of the method; the error names the most similar one.
    @_lifetime(copy bytes)
    public init(
        _ tape: JSONTape, _ bytes: RawSpan, object: Int?, method: Method, bounds: RequestBounds = .standard
    ) throws(RequestError) {
        do throws(UnknownParameter) {
            let names = MethodTable.parameters.span.extracting(MethodTable.parameterRange(of: method))
            try self.init(
                tape, bytes, object: object, names: names, method: method, bounds: bounds)
        } catch {
            throw method.unknownParameter(error.name)
        }
    }
}

extension Method {
    fileprivate func unknownParameter(_ name: String) -> RequestError {
        let names = description.parameters.map(\.name)
        let list = names.joined(separator: ", ")
        let known =
            names.isEmpty
            ? TranslatedText(en: "\(self.name) takes no parameters", pl: "metoda \(self.name) nie ma parametrów")
            : TranslatedText(en: "\(self.name) takes \(list)", pl: "parametry metody \(self.name) to \(list)")
        return RequestError(
            .badParams,
            TranslatedText(
                en: "unknown parameter '\(name)' of \(self.name)",
                pl: "nieznany parametr „\(name)” metody \(self.name)"),
            hint: Suggestion.question(name, among: names) ?? known,
            details: [RequestError.detail("parameter", name)])
    }
}
