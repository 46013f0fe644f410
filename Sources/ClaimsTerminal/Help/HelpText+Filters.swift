// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension HelpText {
    static var filters: String {
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

        claimsctl search --fields help --book lists the fields, their types and operators.

        """
    }
}
