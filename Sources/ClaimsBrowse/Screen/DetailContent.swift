// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The lines of a record with all its fields: it begins as its card does, then come fields, origin and history.
struct DetailContent {
    let state: DetailState
    let collection: CollectionDescription
    let time: LocalTime

    private var messages: Messages { time.messages }
    private var maker: CellMaker { CellMaker(collection: collection, time: time) }

    /// The maximum number of lines of the upstream's own object.
    private static let maxUpstreamLines = 5000

    /// All lines, each of at most `width` cells.
    func lines(width: Int) -> [StyledLine] {
        var lines: [StyledLine] = []
        if let refusal = state.refusal {
            lines += Fitting.wrapWhole(Escaping.line(refusal.message), to: width).map { StyledLine($0, .warning) }
        }
        guard let record = state.answer?[DetailResult.record] ?? state.target.record else {
            return lines.isEmpty ? [StyledLine(messages.loadingRecord)] : lines
        }
        lines += head(record, width: width)
        if state.showsUpstream {
            return lines + [StyledLine(), StyledLine(messages.upstreamHeading, .bold)] + upstream(width: width)
        }
        var facts = fields(of: record)
        append(files: record, to: &facts)
        append(pending: record["pending"], to: &facts)
        append(provenance: state.answer?[DetailResult.provenance], to: &facts)
        append(history: state.history, to: &facts)
        lines.append(StyledLine())
        lines += facts.lines(width: width)
        if state.answer == nil, state.refusal == nil { lines.append(StyledLine(messages.loadingRecord)) }
        let hasFiles = !RecordAttachments(record, collection).files.isEmpty
        let absent = collection.fields.filter { field in
            record[utf8: field.key] == nil && !(hasFiles && field.name == collection.writes?.fileField)
        }.map { Escaping.line($0.heading) }
        if state.answer != nil, !absent.isEmpty {
            lines += Fitting.wrapWhole(messages.without(absent.joined(separator: ", ")), to: width).map {
                StyledLine($0, .dim)
            }
        }
        return lines
    }

    /// The beginning of the record's card: what is bold, a label, and texts of several lines, all of them whole.
    private func head(_ record: AnswerValue, width: Int) -> [StyledLine] {
        let bold = collection.fields.filter(\.isEmphasized)
        let listed = collection.list.compactMap { collection.field($0) }
        let hasTitle = bold.contains { record[utf8: $0.key] != nil }
        let codes = listed.filter { $0.type == .enum && record[utf8: $0.key] != nil }
        let label = codes.first { maker.cell($0, of: record).isBadge } ?? codes.first
        let texts = collection.fields.filter { $0.lines > 1 && !$0.isEmphasized }
        let fields = bold + [label].compactMap(\.self) + texts + (hasTitle ? [] : listed.filter { $0.type == .id })
        let columns = fields.map { field in
            let isWhole = field.isEmphasized || field.lines > 1
            return LayoutColumn(
                FieldDescription(
                    name: field.name, type: field.type, title: field.title, isEmphasized: field.isEmphasized,
                    lines: isWhole ? .max : 1, vocabulary: field.vocabulary))
        }
        let cells = fields.map { field in
            let isText = field.isEmphasized || field.lines > 1
            return (isText ? maker.detail(field, of: record) : nil) ?? maker.cell(field, of: record)
        }
        let isArchived = record["archived"]?.bool ?? false
        return CardLayout(columns: columns, width: width, indent: 0)
            .lines(cells, marks: isArchived ? [Cell("[\(messages.archivedMark)]")] : [])
    }

    private func fields(of record: AnswerValue) -> FactLines {
        let hasFiles = !RecordAttachments(record, collection).files.isEmpty
        var facts = FactLines()
        for field in collection.fields where !field.isEmphasized && field.lines == 1 {
            // The files are listed below, each on a line.
            if hasFiles, field.name == collection.writes?.fileField { continue }
            guard let cell = maker.detail(field, of: record) else { continue }
            facts.append(Escaping.line(field.heading), cell.text, cell.isBadge ? .badge : .plain)
        }
        return facts
    }

    private func append(files record: AnswerValue, to facts: inout FactLines) {
        for (index, file) in RecordAttachments(record, collection).files.enumerated() {
            facts.append(messages.fileHeading(index + 1), "\(Escaping.line(file.name)), \(file.note(messages))")
        }
    }

    private func append(pending: AnswerValue?, to facts: inout FactLines) {
        for (index, operation) in (pending?[PendingMark.ops] ?? []).enumerated() {
            typealias Operation = PendingMark.Operation
            let name = operation[Operation.action] ?? ""
            let action = Escaping.line(collection.writes?.action(name)?.title ?? name)
            let state = messages.state(operation[Operation.state] ?? "")
            facts.append(index == 0 ? messages.pendingHeading : "", "\(action) · \(state)", .badge)
        }
    }

    private func append(provenance: AnswerValue?, to facts: inout FactLines) {
        typealias Provenance = DetailResult.Provenance
        guard let provenance else { return }
        func instant(_ value: AnswerValue?) -> String? {
            value?.string.flatMap { Instant.parse($0) }.map { instant in
                let isToday = time.clock(instant.ms).utf8.count == 5
                let clock = isToday ? time.exactClock(instant.ms) : time.dateAndClock(instant.ms)
                return "\(clock), \(time.relative(instant.ms))"
            }
        }
        func by(_ text: String?, _ name: String?) -> String? {
            text.map { [$0, name.map { Escaping.line($0) }].compactMap(\.self).joined(separator: ", ") }
        }
        let source = provenance[Provenance.source].map { Escaping.line(messages.word($0)) }
        let origin = [source, instant(provenance[Provenance.fetchedAt])].compactMap(\.self)
        let rows: [(String, String?)] = [
            (messages.sourceHeading, origin.isEmpty ? nil : origin.joined(separator: ", ")),
            (messages.firstSeenHeading, instant(provenance[Provenance.firstSeen])),
            (messages.changedHeading, instant(provenance[Provenance.changedAt])),
            (
                messages.archivedHeading,
                by(instant(provenance[Provenance.archivedAt]), provenance[Provenance.archivedBy])
            ),
            (
                messages.submittedHeading,
                by(instant(provenance[Provenance.submittedAt]), provenance[Provenance.submittedBy])
            ),
        ]
        for case (let heading, let text?) in rows { facts.append(heading, text) }
    }

    private func append(history: AnswerValue?, to facts: inout FactLines) {
        let versions = history?[HistoryResult.versions] ?? []
        for (index, version) in versions.enumerated() {
            let at = version[HistoryResult.Version.at]?.string.flatMap { Instant.parse($0) }
            let clock = at.map { time.dateAndClock($0.ms) + "  " } ?? ""
            facts.append(index == 0 ? messages.historyTitle : "", clock + HistoryText(maker: maker).text(version))
        }
        if history?[HistoryResult.isComplete] == false, !versions.isEmpty { facts.append("", messages.olderTrimmed) }
    }

    private func upstream(width: Int) -> [StyledLine] {
        guard let object = state.answer?[DetailResult.upstream] else { return [StyledLine(messages.noUpstreamObject)] }
        let json = JSONLayout.indented(JSONLayout.terminalSafe(Array(object.source.utf8)))
        let lines = String(decoding: json, as: UTF8.self).split(separator: "\n").lazy.flatMap { line in
            // The blanks before a line show its depth.
            let depth = min(line.prefix { $0 == " " }.count, width / 2)
            return Fitting.wrapWhole(String(line.dropFirst(depth)), to: width - depth).map { piece in
                var styled = StyledLine()
                styled.pad(to: depth)
                styled.append(piece)
                return styled
            }
        }
        return Array(lines.prefix(Self.maxUpstreamLines))
    }
}
