// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// One option of claimsctl: its value, its texts, what completion offers, and what it sets.
struct OptionRow {
    /// Sets what the option means: the invocation, the value that was typed (empty for a switch), and the option.
    typealias Setter = (inout Invocation, String, Option) throws(UsageError) -> Void

    /// The placeholder of the value on a help page; nil for a switch.
    let value: String?
    /// The letter after a single dash; nil for none.
    let short: Character?
    /// Whether every verb takes the option.
    let isCommon: Bool
    /// The candidates for the value.
    let offers: OptionOffers
    /// The setting that the option changes; nil for an option that the parser itself handles.
    let set: Setter?
    /// The effect of the option in one line.
    let summary: TranslatedText

    init(
        _ value: String?, short: Character? = nil, isCommon: Bool = false, offers: OptionOffers = .nothing,
        en english: String, pl polish: String, set: Setter? = nil
    ) {
        self.value = value
        self.short = short
        self.isCommon = isCommon
        self.offers = offers
        summary = TranslatedText(en: english, pl: polish)
        self.set = set
    }

    /// A switch; without `set` the parser itself handles it.
    static func flag(
        short: Character? = nil, isCommon: Bool = false, en english: String, pl polish: String,
        set: ((inout Invocation) -> Void)? = nil
    ) -> OptionRow {
        OptionRow(
            nil, short: short, isCommon: isCommon, en: english, pl: polish,
            set: set.map { set in { invocation, _, _ in set(&invocation) } })
    }

    /// An option with a value that is taken as it is.
    static func text(
        _ value: String, short: Character? = nil, isCommon: Bool = false, offers: OptionOffers = .nothing,
        en english: String, pl polish: String, set: @escaping (inout Invocation, String) -> Void
    ) -> OptionRow {
        OptionRow(value, short: short, isCommon: isCommon, offers: offers, en: english, pl: polish) {
            invocation, text, _ in set(&invocation, text)
        }
    }

    /// An option with a span of time.
    static func span(
        _ value: String, isCommon: Bool = false, en english: String, pl polish: String,
        set: @escaping (inout Invocation, WrittenSpan) -> Void
    ) -> OptionRow {
        OptionRow(value, isCommon: isCommon, en: english, pl: polish) {
            invocation, text, option throws(UsageError) in
            set(&invocation, try ArgumentParser.span(text, of: "--\(option.rawValue)"))
        }
    }

    /// An option with one of several words.
    static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ value: String, _ type: Choice.Type, short: Character? = nil, isCommon: Bool = false, en english: String,
        pl polish: String, set: @escaping (inout Invocation, Choice) -> Void
    ) -> OptionRow {
        OptionRow(
            value, short: short, isCommon: isCommon, offers: .words(type.allCases.map(\.rawValue)), en: english,
            pl: polish
        ) { invocation, text, option throws(UsageError) in
            set(&invocation, try ArgumentParser.choice(text, of: option))
        }
    }
}

/// The candidates for the value of an option.
enum OptionOffers: Equatable {
    case nothing
    case words([String])
    case files
    case collections
    case views
    /// A list of fields.
    case fields
    /// A list of sort keys.
    case keys
    /// A part of a filter.
    case filter
    case ids
}
