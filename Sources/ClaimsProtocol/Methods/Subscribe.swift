// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `subscribe`: a feed of one collection, and the beginning of its events.
public struct SubscribeParameters: MethodParameters, Equatable {
    /// The name of the collection, or its singular; required.
    public var collection = ""
    /// The records whose changes are reported, and the reported data of each.
    public var feed = FeedParameters()
    /// The clock of the set that the client holds, or `now`; nil for now.
    public var since: String?
    /// Whether the whole set is sent first.
    public var isInitial = false
    /// The language of messages, such as `pl`; nil for the daemon's setting.
    public var language: String?

    /// Whether the whole set is sent first; false by default.
    public static var initial: Parameter<Bool> {
        Parameter("initial", "Tell the whole set first; not together with since.", default: false)
    }

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.required(.collection, &collection)
        try feed.visit(&visitor)
        try visitor.optional(
            Parameter("since", "The clock of what you hold, or now; from now on without it."), &since)
        try visitor.defaulted(Self.initial, &isInitial)
    }
}

/// The result of `subscribe`; the events follow it as notifications.
public enum SubscribeResult: ResultObject {
    public static let subscription = Member<Int>(
        "subscription", "Its number on this connection, which events and unsubscribe name.")
    public static let clock = Member<String>.optional("clock", "From now on: the clock from which changes are told.")
    public static let meta = Member<Meta>.meta

    public static var memberList: [MemberDescription] { describe(.all, subscription) + describe(.rows, clock, meta) }
}

extension MethodDescription {
    static let subscribe = MethodDescription(
        .subscribe, "subscribe", summary: "Sends an event for each change of a set of records, until unsubscribe.",
        polish: "Wysyła zdarzenie o każdej zmianie zbioru rekordów, aż do unsubscribe.",
        isOfConnection: true, parameters: SubscribeParameters.self, result: SubscribeResult.self,
        example: { parameters in
            parameters.collection = placeholder
            parameters.isInitial = true
        })
}
