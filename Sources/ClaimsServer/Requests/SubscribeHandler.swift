// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsStore

extension RequestError {
    /// The end of a subscription to a collection that was removed, or that its peer does not see any more.
    static func removedUnderSubscription(_ collection: String) -> RequestError {
        .unknownCollection(
            collection,
            hint: TranslatedText(
                en: "its definition was removed; subscribe again when it is back",
                pl: "jej definicja została usunięta; zasubskrybuj ponownie, gdy wróci"))
    }
}

/// `changes`: how the set of a feed has changed since a clock. A worker reads the log, never a loop.
enum ChangesHandler {
    static func answer(
        _ parameters: ChangesParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        if parameters.since != nil, parameters.cursor != nil {
            throw RequestError(
                ChangesParameters.cursor,
                TranslatedText(
                    en: "since and cursor exclude each other", pl: "since i cursor wykluczają się nawzajem"),
                hint: TranslatedText(
                    en: "give since on the first page, and cursor on those after it",
                    pl: "podaj since na pierwszej stronie, a cursor na następnych"))
        }
        let operation = ChangesOperation(
            request: try FeedRequest(parameters.feed, context.queries), collection: parameters.collection,
            since: parameters.since, cursor: parameters.cursor, limit: Int(parameters.limit),
            language: parameters.language,
            timeout: context.queries.timeout(parameters.timeout), peer: peer)
        return context.runOnWorker(operation, for: peer)
    }
}

/// `subscribe`: checks the feed, and finds where its events begin. The connection then has the subscription.
enum SubscribeHandler {
    static func answer(
        _ parameters: SubscribeParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        let served = context.served
        let view = try served.view(named: parameters.collection)
        if parameters.isInitial, parameters.since != nil {
            throw RequestError(
                SubscribeParameters.initial,
                TranslatedText(
                    en: "initial and since exclude each other", pl: "parametry initial i since wykluczają się"),
                hint: TranslatedText(
                    en: "initial tells the whole set; since what came since a clock",
                    pl: "initial podaje cały zbiór, a since to, co zmieniło się od podanego zegara"))
        }
        let request = try FeedRequest(parameters.feed, language: parameters.language, context.queries)
        let feed = try Feed(request, of: view.definition, within: view.limit)
        let revision = served.catalog.revision
        let codec = FeedClockCodec(key: context.configuration.cursorKey)
        var since: FeedStart.Since = parameters.isInitial ? .nothing : .now
        if let text = parameters.since { since = try codec.since(text, epoch: revision.epoch) }
        let time = feed.dependsOnTime ? served.now : 0
        let reason = FeedStart(since: since).reason(
            hash: feed.hash, dependsOnTime: feed.dependsOnTime, isLimited: feed.limit != nil, in: view,
            revision: revision)
        let progress: FeedProgress
        let clock: [UInt8]?
        if let reason {
            clock = nil
            progress = FeedProgress(position: .set(at: revision.seq, time: time), stage: .set(reason: reason))
        } else if case .clock(let given) = since {
            let position = FeedPosition.rest(at: given.revision.seq, time: given.bound?.time ?? 0)
            progress = FeedProgress(position: position, stage: .catchingUp)
            clock = feed.clock(at: position, revision.epoch, codec)
        } else {
            progress = FeedProgress(position: .rest(at: revision.seq, time: time), stage: .live)
            clock = feed.clock(at: progress.position, revision.epoch, codec)
        }
        let meta = served.meta(view, language: parameters.language)
        peer.record(Look(.subscribe), of: view.definition)
        return .subscribe(
            SubscriptionOrder(peer: peer, request: request, feed: feed, progress: progress, clock: clock) { number in
                var writer = JSONWriter()
                writer.beginObject()
                writer.member(SubscribeResult.subscription, number)
                if progress.stage == .live, let clock {
                    writer.key(SubscribeResult.clock)
                    writer.raw(clock)
                }
                writer.key(SubscribeResult.meta)
                writer.raw(meta)
                writer.endObject()
                return writer.bytes
            })
    }
}
