// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The texts of help pages that belong to no verb.

extension Messages {
    /// How a command line is made up, above the list of verbs.
    var helpUsage: String {
        text(
            en: """
                claimsctl [OPTIONS] VERB [SELECTOR] [TERMS…] [OPTIONS]

                A selector is --collection NAME, or the singular of any collection, such as \(Examples.selector).
                Without one, search, count, refresh, refreshes, changes and outbox are about all collections. Options
                and terms come in any order.

                """,
            pl: """
                claimsctl [OPTIONS] VERB [SELECTOR] [TERMS…] [OPTIONS]

                SELECTOR to --collection NAME albo liczba pojedyncza nazwy kolekcji, jak \(Examples.selector). Bez
                niego search, count, refresh, refreshes, changes i outbox dotyczą wszystkich kolekcji. VERB to jedno z
                poleceń poniżej. Opcje i argumenty mogą stać w dowolnej kolejności.

                """)
    }

    var helpCommonOptions: String {
        text(
            en: "Options of every verb (-H only where the verb asks a daemon):",
            pl: "Opcje każdego polecenia (-H tylko tam, gdzie polecenie pyta demona):")
    }

    /// The text after the list of verbs and options.
    var helpMore: String {
        text(
            en: """

                claimsctl help VERB explains a verb, claimsctl help filters the filters, and claimsctl help exit-codes the
                exit codes.

                Environment: CLAIMSD_SOCKET, CLAIMSCTL_OUTPUT, CLAIMSCTL_TIMEOUT, CLAIMSCTL_PURPOSE, CLAIMSCTL_SSH,
                PAGER, VISUAL, EDITOR, NO_COLOR, TZ, LC_ALL, LC_MESSAGES, LANG. An option has priority over its variable.

                """,
            pl: """

                claimsctl help VERB objaśnia polecenie, claimsctl help filters filtry, a claimsctl help exit-codes kody
                zakończenia.

                Zmienne środowiska: CLAIMSD_SOCKET, CLAIMSCTL_OUTPUT, CLAIMSCTL_TIMEOUT, CLAIMSCTL_PURPOSE,
                CLAIMSCTL_SSH, PAGER, VISUAL, EDITOR, NO_COLOR, TZ, LC_ALL, LC_MESSAGES, LANG. Opcja ma pierwszeństwo przed zmienną.

                """)
    }

    var helpOptions: String { text(en: "Options:", pl: "Opcje:") }

    var helpExamples: String { text(en: "Examples:", pl: "Przykłady:") }

    var helpOfAllVerbs: String {
        text(
            en: "More options, which all verbs have: claimsctl help.",
            pl: "Dalsze opcje, wspólne dla wszystkich poleceń: claimsctl help.")
    }

    var helpExitCodes: String {
        text(
            en: "How claimsctl ends. These numbers never change.",
            pl: "Kody, którymi kończy claimsctl. Te liczby nigdy się nie zmieniają.")
    }

    /// The page about filters.
    var helpFilters: String { text(en: Self.englishFilters, pl: Self.polishFilters) }

    private static var englishFilters: String {
        """
        Terms that stand side by side must all hold; 'and', 'or', 'not' and parentheses join them.

          \(example(Examples.text))the text is in a searched field, whatever its case and accents
          \(example(Examples.phrase))the phrase is in one field
          \(example(Examples.equal))equal; a comma list is any of them: \(Examples.anyOf)
          \(example(Examples.notEqual))everything else, also records without a \(Examples.field)
          \(example(Examples.contains))contains; \(Examples.containsPhrase) takes all after ~ as the value
          \(example(Examples.lacks))does not contain
          \(example(Examples.starts))starts with
          \(example(Examples.range))between, both ends included; 100.. and ..500 are open
          \(example(Examples.greater))compare; quote it, or the shell takes > for a redirection,
          \(example(Examples.greaterInLetters))or write it in letters: .gt .ge .lt .le .before .after
          \(example(Examples.none))has no value; \(Examples.any) has one
          \(example(Examples.raw))compares the value as the upstream sent it

        The operators in letters: .eq= .ne= .has= .lacks= .starts= .gt= .ge= .lt= .le= .before= .after=

        Dates: 2026-11-20, 2026-11-20T08:01:00Z, now, today, yesterday, tomorrow, -3d, +2w. A day is that whole
        day where you are. No white space around an operator. Quotes hold what has spaces, commas or parentheses:
        \(Examples.quoted). To look for a text that would be a filter: --text 'a=b (c)'.

        claimsctl search --fields help --collection NAME lists the fields, their types and operators.

        """
    }

    private static var polishFilters: String {
        """
        Argumenty obok siebie muszą być spełnione wszystkie; łączą je „and”, „or”, „not” i nawiasy.

          \(example(Examples.text))tekst jest w przeszukiwanym polu, bez względu na wielkość liter i znaki diakrytyczne
          \(example(Examples.phrase))ten zwrot jest w jednym polu
          \(example(Examples.equal))równe; lista z przecinkami to dowolne z nich: \(Examples.anyOf)
          \(example(Examples.notEqual))wszystko inne, także rekordy bez \(Examples.field)
          \(example(Examples.contains))zawiera; \(Examples.containsPhrase) bierze wszystko po ~ jako wartość
          \(example(Examples.lacks))nie zawiera
          \(example(Examples.starts))zaczyna się od
          \(example(Examples.range))pomiędzy, z oboma końcami; 100.. i ..500 są otwarte
          \(example(Examples.greater))porównanie; w cudzysłowie, bo powłoka bierze > za przekierowanie,
          \(example(Examples.greaterInLetters))albo literami: .gt .ge .lt .le .before .after
          \(example(Examples.none))nie ma wartości; \(Examples.any) ma wartość
          \(example(Examples.raw))porównuje wartość tak, jak przysłał ją serwer

        Operatory literami: .eq= .ne= .has= .lacks= .starts= .gt= .ge= .lt= .le= .before= .after=

        Daty: 2026-11-20, 2026-11-20T08:01:00Z, now, today, yesterday, tomorrow, -3d, +2w. Dzień to cały ten dzień
        w Twojej strefie czasowej. Wokół operatora nie ma odstępów. W cudzysłowie stoi to, co ma odstępy, przecinki
        lub nawiasy: \(Examples.quoted). Aby szukać tekstu, który wygląda jak filtr: --text 'a=b (c)'.

        claimsctl search --fields help --collection NAME wymienia pola, ich typy i operatory.

        """
    }

    /// A term at the beginning of its line, with the room up to its meaning.
    private static func example(_ term: String) -> String {
        term + String(repeating: " ", count: max(1, 25 - term.count))
    }
}
