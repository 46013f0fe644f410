// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsQuery

/// Filters evaluated straight from the words of the protocol, on values as people write them: no keys, no predicates.
///
/// Only for filters that type without an error.
struct NaiveEvaluator {
    let calendar: NaiveCalendar

    func isTrue(_ node: FilterNode, of record: LibraryRecord) -> Bool {
        switch node {
        case .and(let operands): operands.allSatisfy { isTrue($0, of: record) }
        case .or(let operands): operands.contains { isTrue($0, of: record) }
        case .not(let operand): !isTrue(operand, of: record)
        case .term(let term): isTrue(term.condition, of: record)
        }
    }

    private func isTrue(_ condition: FilterTerm.Condition, of record: LibraryRecord) -> Bool {
        switch condition {
        case .any(let field): return isPresent(field, in: record)
        case .none(let field): return !isPresent(field, in: record)
        case .text(let words):
            return ["title", "author"].contains { name in
                guard case .text(let text)? = record.values[name] else { return false }
                return NaiveText.contains(NaiveText.folded(text), NaiveText.folded(words.text))
            }
        case .range(let field, let low, let high):
            guard let value = record.values[field.name] else { return false }
            return (low.map { compare(value, .ge, $0.text, field) } ?? true)
                && (high.map { compare(value, .le, $0.text, field) } ?? true)
        case .compare(let field, .ne, let wanted):
            return !isTrue(.compare(field, .eq, wanted), of: record)
        case .compare(let field, .lacks, let wanted):
            return !isTrue(.compare(field, .has, wanted), of: record)
        case .compare(let field, let comparator, let wanted):
            guard let value = record.values[field.name] else { return false }
            return wanted.contains { compare(value, comparator, $0.text, field) }
        }
    }

    private func isPresent(_ field: FilterField, in record: LibraryRecord) -> Bool {
        guard field.isRaw else { return record.values[field.name] != nil }
        if case .unknown? = record.values[field.name] { return true }
        return false
    }

    private func compare(
        _ value: LibraryRecord.Value, _ comparator: FilterOperator, _ wanted: String, _ field: FilterField
    ) -> Bool {
        if field.isRaw {
            guard case .unknown(let raw) = value else { return false }
            return bytes(Array(raw.utf8), comparator, Array(wanted.utf8))
        }
        switch value {
        case .text(let text): return texts(text, comparator, wanted, field.name)
        case .code(let code): return ranks(code, comparator, wanted, field.name)
        case .unknown: return ranks("other", comparator, wanted, field.name)
        case .number(let digits):
            guard let left = NaiveNumber(digits), let right = NaiveNumber(wanted) else { return false }
            return order(left, comparator, right)
        case .bool(let flag): return comparator == .eq && wanted == String(flag)
        case .instant(let text): return moments(NaiveCalendar.ms(text), comparator, wanted)
        case .date(let text): return order(NaiveCalendar.day(text) ?? 0, comparator, day(wanted))
        case .json: return false
        }
    }

    private func texts(_ text: String, _ comparator: FilterOperator, _ wanted: String, _ name: String) -> Bool {
        let folded = (NaiveText.folded(text), NaiveText.folded(wanted))
        if comparator == .has || comparator == .starts { return bytes(folded.0, comparator, folded.1) }
        if name == "link" { return Array(text.utf8) == Array(wanted.utf8) }
        if name == "id" {
            let isLess = NaiveText.precedes(text, wanted)
            let isMore = NaiveText.precedes(wanted, text)
            return order(isLess ? -1 : isMore ? 1 : 0, comparator, 0)
        }
        let isLess = folded.0.lexicographicallyPrecedes(folded.1)
        return order(folded.0 == folded.1 ? 0 : isLess ? -1 : 1, comparator, 0)
    }

    private func bytes(_ text: [UInt8], _ comparator: FilterOperator, _ wanted: [UInt8]) -> Bool {
        switch comparator {
        case .has: NaiveText.contains(text, wanted)
        case .starts: text.starts(with: wanted)
        default: text == wanted
        }
    }

    private func ranks(_ code: String, _ comparator: FilterOperator, _ wanted: String, _ name: String) -> Bool {
        let name = name == "state" ? "state" : "kind"
        let other = wanted.lowercased().map { $0 == " " || $0 == "-" ? "_" : String($0) }.joined()
        guard let left = Library.ranks[name]?[code], let right = Library.ranks[name]?[other] else { return false }
        return comparator == .eq ? code == other : order(left, comparator, right)
    }

    private func order<T: Comparable>(_ left: T, _ comparator: FilterOperator, _ right: T) -> Bool {
        switch comparator {
        case .lt, .before: left < right
        case .le: left <= right
        case .gt, .after: left > right
        case .ge: left >= right
        default: left == right
        }
    }

    /// A day is that whole day.
    private func moments(_ moment: Int64, _ comparator: FilterOperator, _ wanted: String) -> Bool {
        let isPoint: Bool =
            wanted == "now" || NaiveCalendar.moment(wanted) != nil || (offset(wanted) != nil && comparator != .eq)
        guard isPoint else {
            let first = calendar.startOfDay(day(wanted))
            let next = calendar.startOfDay(day(wanted) + 1)
            return switch comparator {
            case .lt, .before: moment < first
            case .le: moment < next
            case .gt, .after: moment >= next
            case .ge: moment >= first
            default: moment >= first && moment < next
            }
        }
        let point =
            offset(wanted).map { Library.now + Int64($0) * 86_400_000 } ?? NaiveCalendar.moment(wanted) ?? Library.now
        return order(moment, comparator, point)
    }

    private func day(_ wanted: String) -> Int {
        let today = calendar.day(of: Library.now)
        switch wanted {
        case "today", "now": return today
        case "yesterday": return today - 1
        case "tomorrow": return today + 1
        default: break
        }
        if let offset = offset(wanted) { return today + offset }
        return NaiveCalendar.day(wanted) ?? NaiveCalendar.moment(wanted).map { calendar.day(of: $0) } ?? 0
    }

    private func offset(_ wanted: String) -> Int? {
        guard wanted.first == "-" || wanted.first == "+", wanted.last == "d" || wanted.last == "w" else { return nil }
        return Int(wanted.dropLast()).map { wanted.last == "w" ? $0 * 7 : $0 }
    }
}
