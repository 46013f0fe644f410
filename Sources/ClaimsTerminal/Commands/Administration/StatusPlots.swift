// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

/// The plots of `status --plot`: the refreshes of each collection over a span of time.
struct StatusPlots {
    private let plots: [(title: String, attempts: [RefreshPlot.Attempt])]
    private let span: WrittenSpan
    private let style: PlotStyle

    /// The span where none is asked for.
    static let standardSpan = WrittenSpan(text: "24h", duration: .seconds(86_400))
    /// The columns beside the slots: the indent, the longest name and two gaps.
    private static let margin = 2 + 8 + 2 + 2

    /// Asks for the attempts of every collection in an answer of `status`; nil where no plots are wanted.
    init?(_ context: CommandContext, _ collections: [AnswerValue]) throws(CommandError) {
        guard context.invocation.wantsPlot else {
            if context.invocation.since == nil { return nil }
            throw .usage(
                UsageError(
                    en: "--since is about plots", pl: "--since dotyczy wykresów",
                    hint: .example("claimsctl status --plot --since 24h")))
        }
        span = try Self.span(context.invocation.since)
        style = context.console.plotStyle
        let connection = try context.connection()
        var pending: [(title: String, number: ClientConnection.RequestNumber)] = []
        for collection in collections {
            guard let name = collection[StatusResult.Collection.name] else { continue }
            var parameters = RefreshesParameters()
            parameters.collection = name
            parameters.limit = Int64(PageParameters.maxLimit)
            pending.append((name, connection.request(.refreshes, parameters)))
        }
        var plots: [(title: String, attempts: [RefreshPlot.Attempt])] = []
        for (title, number) in pending {
            let answer = try context.answer(to: number)
            plots.append((title, answer[RefreshesResult.refreshes].compactMap(RefreshPlot.Attempt.init)))
        }
        self.plots = plots
    }

    private static func span(_ text: String?) throws(CommandError) -> WrittenSpan {
        guard let text else { return standardSpan }
        do throws(UsageError) {
            let span = try ArgumentParser.span(text, of: "--since")
            guard span.duration > .zero, span.duration < TimeSpan.infinity else {
                throw UsageError(
                    en: "--since '\(text)' has no length", pl: "--since „\(text)” nie ma długości",
                    hint: .example("claimsctl status --plot --since 24h"))
            }
            return span
        } catch {
            throw .usage(error)
        }
    }

    /// The text, an empty line before it.
    func text(_ time: LocalTime, width: Int, isColored: Bool) -> String {
        let messages = time.messages
        let length = span.duration.wholeMilliseconds
        var text = "\n" + Style.heading.apply(to: messages.refreshesOfLast(span.text), isColored: isColored) + "\n"
        let rows = plots.map { title, attempts in
            (title, RefreshPlot(attempts, from: time.now - length, to: time.now, slots: RefreshPlot.maxSlots))
        }
        let widest = rows.flatMap { $1.rows(style, messages) }.reduce(0) { max($0, DisplayWidth.cells(of: $1.values)) }
        let slots = max(10, min(RefreshPlot.maxSlots, width - Self.margin - widest))
        for (title, attempts) in plots {
            text += Style.bold.apply(to: Escaping.line(title), isColored: isColored) + "\n"
            let plot = RefreshPlot(attempts, from: time.now - length, to: time.now, slots: slots)
            guard !plot.isEmpty else {
                text += "  \(messages.nothingInSpan)\n"
                continue
            }
            for row in plot.rows(style, messages) {
                text += "  \(Fitting.pad(row.name, to: 8))  \(row.slots)  \(row.values)\n"
            }
        }
        return text
    }
}
