// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension Verb {
    /// `metrics`, whose command is in a module above this one.
    public static let metrics = Verb(
        "metrics",
        summary: LocalizedText(
            en: "print figures of the daemon and its collections for Prometheus",
            pl: "wypisuje liczby demona i jego kolekcji dla Prometheusa"),
        details: LocalizedText(
            en: """
                Prints figures in the text format of Prometheus: of the daemon, of each collection, view and trigger. A
                daemon that is away for 5 s (--timeout) is claimsd_up 0, and the exit code 0. With --to they go into a file,
                which is replaced as a whole and written each time, so that its time shows when that was.

                For node_exporter: systemctl enable --now claimsd-metrics.timer
                """,
            pl: """
                Wypisuje liczby w formacie tekstowym Prometheusa: demona, każdej kolekcji, widoku i wyzwalacza. Gdy
                demona nie ma od 5 s (--timeout), jest to claimsd_up 0, a kod wyjścia to 0. Z --to trafiają do pliku, który jest
                zastępowany w całości i zapisywany za każdym razem, więc jego czas mówi, kiedy to było.

                Dla node_exporter: systemctl enable --now claimsd-metrics.timer
                """),
        options: [.to, .configDir, .dataDir, .stateDir, .runDir], takesSelector: false, maxArguments: 0)
}
