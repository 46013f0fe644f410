// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// The parameters of a method as a value.
///
/// A client fills the properties and writes them; the server reads them from a request:
/// ```swift
/// var parameters = CountParameters()
/// parameters.selection.filter = "water"
/// let request = connection.request(.count, parameters)     // in a client
/// let parameters = try CountParameters(arguments)          // in the server
/// ```
/// Both sides, `describe` and the manual use ``visit(_:)``, so that each name is written once.
public protocol MethodParameters: Sendable {
    /// Makes parameters with the values of a request that omits all of them.
    init()

    /// The language of texts for people in the answer, including errors, such as `pl`; nil for the daemon's setting.
    ///
    /// It is the parameter `lang`, which every method has.
    var language: String? { get set }

    /// Passes each parameter but ``language`` to the visitor, together with the property that holds its value.
    ///
    /// Every call visits the same parameters in the same order. A reader depends on that order.
    ///
    /// - Throws: the visitor's error, at the first parameter that fails.
    mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure)
}

extension MethodParameters {
    /// Passes every parameter of the method to the visitor, and then the parameter that all methods have.
    private mutating func visitAll<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visit(&visitor)
        try visitor.optional(.language, &language)
    }

    /// Reads the parameters of a request. An omitted parameter keeps its default.
    ///
    /// - Throws: `bad_params` for a value of another shape, and for a required parameter that is missing. `bad_filter`
    ///   and `bad_sort` refuse a filter and sort keys that are far too long.
    public init(_ arguments: borrowing Arguments) throws(RequestError) {
        self.init()
        var reader = ParameterReader(arguments)
        try visitAll(&reader)
    }

    /// Writes the members of `params`, and omits each parameter that has its default value.
    ///
    /// The caller has begun the object, and ends it.
    public func write(to writer: inout JSONWriter) {
        var copy = self
        var visitor = ParameterWriter(writer: writer)
        copy.visitAll(&visitor)
        writer = visitor.writer
    }

    /// The parameters as `describe` and the manual show them.
    static func descriptions(within bounds: RequestBounds) -> [ParameterDescription] {
        var parameters = Self()
        var visitor = ParameterDescriber(bounds: bounds)
        parameters.visitAll(&visitor)
        return visitor.descriptions
    }
}

/// A visitor of a method's parameters, which reads, writes or describes each of them.
public protocol ParameterVisitor: ~Copyable, ~Escapable {
    associatedtype Failure: Error

    /// Visits a parameter that every request must have.
    mutating func required<Value: ParameterValue>(
        _ parameter: Parameter<Value>, _ value: inout Value
    ) throws(Failure)

    /// Visits a parameter that a request may omit; the property is nil then.
    mutating func optional<Value: ParameterValue>(
        _ parameter: Parameter<Value>, _ value: inout Value?
    ) throws(Failure)

    /// Visits a parameter with a default, which the property holds when the visit begins.
    mutating func defaulted<Value: ParameterValue & Equatable>(
        _ parameter: Parameter<Value>, _ value: inout Value
    ) throws(Failure)
}

/// Reads the parameters of one request.
struct ParameterReader: ~Copyable, ~Escapable, ParameterVisitor {
    private let arguments: Arguments
    /// The number of visited parameters; the arguments have their nodes in the same order.
    private var index = 0

    @_lifetime(copy arguments)
    init(_ arguments: borrowing Arguments) {
        self.arguments = copy arguments
    }

    @inline(__always)
    private mutating func nextNode() -> Int? {
        let node = arguments.node(index)
        index &+= 1
        return node
    }

    mutating func required<Value: ParameterValue>(
        _ parameter: Parameter<Value>, _ value: inout Value
    ) throws(RequestError) {
        guard let node = nextNode() else { throw arguments.missing(parameter) }
        value = try Value.read(node, of: arguments, as: parameter)
    }

    mutating func optional<Value: ParameterValue>(
        _ parameter: Parameter<Value>, _ value: inout Value?
    ) throws(RequestError) {
        guard let node = nextNode() else { return }
        value = try Value.read(node, of: arguments, as: parameter)
    }

    mutating func defaulted<Value: ParameterValue & Equatable>(
        _ parameter: Parameter<Value>, _ value: inout Value
    ) throws(RequestError) {
        guard let node = nextNode() else { return }
        value = try Value.read(node, of: arguments, as: parameter)
    }
}

/// Writes the parameters of one request.
private struct ParameterWriter: ParameterVisitor {
    var writer: JSONWriter

    mutating func required<Value: ParameterValue>(_ parameter: Parameter<Value>, _ value: inout Value) {
        writer.key(parameter.name)
        value.write(to: &writer)
    }

    mutating func optional<Value: ParameterValue>(_ parameter: Parameter<Value>, _ value: inout Value?) {
        guard let value else { return }
        writer.key(parameter.name)
        value.write(to: &writer)
    }

    mutating func defaulted<Value: ParameterValue & Equatable>(_ parameter: Parameter<Value>, _ value: inout Value) {
        if value == parameter.defaultValue { return }
        writer.key(parameter.name)
        value.write(to: &writer)
    }
}

/// Collects the description of the parameters of one method.
private struct ParameterDescriber: ParameterVisitor {
    let bounds: RequestBounds
    var descriptions: [ParameterDescription] = []

    private mutating func add<Value: ParameterValue>(_ parameter: Parameter<Value>, isRequired: Bool) {
        let defaultJSON = parameter.defaultValue.map { value in
            var writer = JSONWriter()
            value.write(to: &writer)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
        descriptions.append(
            ParameterDescription(
                name: String(describing: parameter.name), shape: parameter.shape(within: bounds),
                isRequired: isRequired, defaultJSON: defaultJSON, summary: parameter.summary))
    }

    mutating func required<Value: ParameterValue>(_ parameter: Parameter<Value>, _ value: inout Value) {
        add(parameter, isRequired: true)
    }

    mutating func optional<Value: ParameterValue>(_ parameter: Parameter<Value>, _ value: inout Value?) {
        add(parameter, isRequired: false)
    }

    mutating func defaulted<Value: ParameterValue & Equatable>(_ parameter: Parameter<Value>, _ value: inout Value) {
        add(parameter, isRequired: false)
    }
}
