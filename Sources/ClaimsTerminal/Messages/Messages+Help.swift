// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The texts of help pages that belong to no verb.

extension Messages {
    /// How a command line is made up, above the list of verbs.
    var helpUsage: String {
        text(
            en: """
                claimsctl [OPTIONS] VERB [SELECTOR] [TERMS…] [OPTIONS]

                A selector is --collection NAME, or the singular of any collection, such as --book. Without
                one, search, count and refresh are about all collections. Options and terms come in any order.

                """,
            pl: """
                claimsctl [OPTIONS] VERB [SELECTOR] [TERMS…] [OPTIONS]

                SELECTOR to --collection NAME albo liczba pojedyncza nazwy kolekcji, jak --book. Bez niego search,
                count i refresh dotyczą wszystkich kolekcji. VERB to jedno z poleceń poniżej. Opcje i argumenty mogą
                stać w dowolnej kolejności.

                """)
    }

    var helpCommonOptions: String {
        text(
            en: "Options of every verb (-H: of those that ask the daemon):",
            pl: "Opcje każdego polecenia (-H: tych, które pytają demona):")
    }

    /// The text after the list of verbs and options.
    var helpMore: String {
        text(
            en: """

                claimsctl help VERB explains a verb; claimsctl help filters and claimsctl help exit-codes the rest.

                Environment: CLAIMSD_SOCKET, CLAIMSCTL_OUTPUT, CLAIMSCTL_TIMEOUT, CLAIMSCTL_SSH, PAGER, VISUAL, EDITOR,
                NO_COLOR, TZ, LC_ALL, LC_MESSAGES, LANG. An option goes before its variable.

                """,
            pl: """

                claimsctl help VERB objaśnia polecenie; claimsctl help filters i claimsctl help exit-codes resztę.

                Zmienne środowiska: CLAIMSD_SOCKET, CLAIMSCTL_OUTPUT, CLAIMSCTL_TIMEOUT, CLAIMSCTL_SSH, PAGER, VISUAL,
                EDITOR, NO_COLOR, TZ, LC_ALL, LC_MESSAGES, LANG. Opcja ma pierwszeństwo przed zmienną.

                """)
    }

    var helpOptions: String { text(en: "Options:", pl: "Opcje:") }

    var helpExamples: String { text(en: "Examples:", pl: "Przykłady:") }

    var helpOfAllVerbs: String {
        text(
            en: "claimsctl help shows the options of every verb.",
            pl: "claimsctl help pokazuje opcje każdego polecenia.")
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

          water                    the text is in a searched field, whatever its case and accents
          'sea water'              the phrase is in one field
          shelf=attic              equal; a comma list is any of them: shelf=attic,cellar
          shelf!=attic             everything else, also records without a shelf
          author~austen            contains; 'author~jane austen' takes all after ~ as the value
          author!~austen           does not contain
          author^=jane             starts with
          pages=100..500           between, both ends included; 100.. and ..500 are open
          'pages>100'              compare; quote it, or the shell takes > for a redirection,
          pages.ge=100             or write it in letters: .gt .ge .lt .le .before .after
          lent_on.none             has no value; lent_on.any has one
          shelf.raw=ATTIC          compares the value as the upstream sent it

        The operators in letters: .eq= .ne= .has= .lacks= .starts= .gt= .ge= .lt= .le= .before= .after=

        Dates: 2026-11-20, 2026-11-20T08:01:00Z, now, today, yesterday, tomorrow, -3d, +2w. A day is that whole
        day where you are. No white space around an operator. Quotes hold what has spaces, commas or parentheses:
        'author="Bang, Herman"'. To look for a text that would be a filter: --text 'a=b (c)'.

        claimsctl search --fields help --collection NAME lists the fields, their types and operators.

        """
    }

    private static var polishFilters: String {
        """
        Argumenty obok siebie muszą być spełnione wszystkie; łączą je „and”, „or”, „not” i nawiasy.

          water                    tekst jest w przeszukiwanym polu, bez względu na wielkość liter i znaki diakrytyczne
          'sea water'              ten zwrot jest w jednym polu
          shelf=attic              równe; lista z przecinkami to dowolne z nich: shelf=attic,cellar
          shelf!=attic             wszystko inne, także rekordy bez shelf
          author~austen            zawiera; 'author~jane austen' bierze wszystko po ~ jako wartość
          author!~austen           nie zawiera
          author^=jane             zaczyna się od
          pages=100..500           pomiędzy, z oboma końcami; 100.. i ..500 są otwarte
          'pages>100'              porównanie; w cudzysłowie, bo powłoka bierze > za przekierowanie,
          pages.ge=100             albo literami: .gt .ge .lt .le .before .after
          lent_on.none             nie ma wartości; lent_on.any ma wartość
          shelf.raw=ATTIC          porównuje wartość tak, jak przysłał ją serwer

        Operatory literami: .eq= .ne= .has= .lacks= .starts= .gt= .ge= .lt= .le= .before= .after=

        Daty: 2026-11-20, 2026-11-20T08:01:00Z, now, today, yesterday, tomorrow, -3d, +2w. Dzień to cały ten dzień
        w Twojej strefie czasowej. Wokół operatora nie ma odstępów. W cudzysłowie stoi to, co ma odstępy, przecinki
        lub nawiasy: 'author="Bang, Herman"'. Aby szukać tekstu, który wygląda jak filtr: --text 'a=b (c)'.

        claimsctl search --fields help --collection NAME wymienia pola, ich typy i operatory.

        """
    }
}
