// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

// The way to the daemon, and what is wrong with it.

extension Messages {
    func unreachable(_ path: String, _ reason: String) -> String {
        text(
            en: "the daemon cannot be reached at \(path): \(reason)",
            pl: "nie można połączyć się z demonem (\(path)): \(reason)")
    }

    /// - Parameter mayBeDone: whether a request was under way that changes something.
    func closed(mayBeDone: Bool) -> String {
        let text = text(
            en: "the daemon closed the connection before it answered", pl: "demon zamknął połączenie przed odpowiedzią")
        guard mayBeDone else { return text }
        return text
            + self.text(
                en: "; what it was asked to do may have been done",
                pl: "; to, o co go poproszono, mogło zostać zrobione")
    }

    /// - Parameter span: the time as it was written.
    func noAnswer(within span: String) -> String {
        text(en: "no answer within \(span)", pl: "brak odpowiedzi w ciągu \(span)")
    }

    var toWaitLonger: String {
        text(
            en: "to wait longer: --timeout 1min, or --timeout infinity",
            pl: "aby czekać dłużej: --timeout 1min albo --timeout infinity")
    }

    func notStarted(_ program: String, reaching host: String, _ reason: String) -> String {
        text(
            en: "\(program), which reaches \(host), cannot be started: \(reason)",
            pl: "nie można uruchomić programu \(program), który łączy z \(host): \(reason)")
    }

    var otherProgram: String {
        text(en: "CLAIMSCTL_SSH names another program", pl: "inny program podaje CLAIMSCTL_SSH")
    }

    func noDaemon(on host: String) -> String {
        text(
            en: "the daemon on \(host) cannot be reached from there",
            pl: "z hosta \(host) nie można połączyć się z jego demonem")
    }

    func noClaimsctl(on host: String) -> String {
        text(en: "there is no claimsctl on \(host)", pl: "na hoście \(host) nie ma claimsctl")
    }

    var claimsctlInPath: String {
        text(
            en: "claimsctl must be in the PATH of commands that ssh runs there",
            pl: "claimsctl musi być w PATH poleceń, które uruchamia tam ssh")
    }

    func hostUnreachable(_ host: String) -> String {
        text(en: "\(host) cannot be reached: ssh failed", pl: "nie można połączyć się z \(host): błąd ssh")
    }

    func connectionEnded(_ host: String, code: Int32) -> String {
        text(
            en: "the connection to \(host) ended before an answer, with exit code \(code)",
            pl: "połączenie z \(host) skończyło się przed odpowiedzią, z kodem \(code)")
    }

    func noise(of host: String, _ line: String) -> String {
        text(
            en: "\(host) sent a line that is no answer: '\(line)'",
            pl: "\(host) przysłał wiersz, który nie jest odpowiedzią: „\(line)”")
    }

    var loginScript: String {
        text(
            en: "a login script there may print it: it must print nothing where it has no terminal",
            pl: "może wypisuje go skrypt logowania: bez terminala nie może wypisywać niczego")
    }

    // Why an answer does not come.

    func queueFull(at path: String) -> String {
        text(
            en: "the daemon accepts no connection at \(path), because its queue is full",
            pl: "demon nie przyjmuje połączeń (\(path)), bo ich kolejka jest pełna")
    }

    var requestTakesLong: String {
        text(
            en: "the daemon is well, but this request takes long",
            pl: "demon działa dobrze, ale to żądanie trwa długo")
    }

    func nothingYet(from host: String) -> String {
        text(en: "nothing has come from \(host) yet", pl: "z \(host) nic jeszcze nie przyszło")
    }

    func silentListener(at path: String) -> String {
        text(
            en: "\(path) takes connections, but nothing answers: the daemon is starting, or is stuck",
            pl: "\(path) przyjmuje połączenia, ale nikt nie odpowiada: demon startuje albo utknął")
    }

    func systemdListens(at path: String) -> String {
        text(
            en: "systemd listens at \(path), but the daemon does not answer: it is starting, or cannot start",
            pl: "systemd nasłuchuje na \(path), ale demon nie odpowiada: startuje albo nie może wystartować")
    }

    func processStopped(_ pid: Int32, at path: String) -> String {
        text(
            en: "process \(pid), which listens at \(path), is stopped; to let it go on: kill -CONT \(pid)",
            pl: "proces \(pid), który nasłuchuje na \(path), jest zatrzymany; aby go wznowić: kill -CONT \(pid)")
    }

    func processSilent(_ pid: Int32, at path: String) -> String {
        text(
            en: "process \(pid) listens at \(path), but does not answer: it is starting, or is stuck",
            pl: "proces \(pid) nasłuchuje na \(path), ale nie odpowiada: startuje albo utknął")
    }

    /// The notice about a silent daemon.
    ///
    /// - Parameters:
    ///   - command: the command that shows how it is; nil if none is known.
    ///   - limit: for how long it is waited, as it was written; nil without an end.
    func silence(_ reason: String, command: String?, limit: String?) -> String {
        let look = command.map { text(en: "; to see how it is: \($0)", pl: "; aby zobaczyć jego stan: \($0)") } ?? ""
        let end = limit.map { text(en: " for \($0)", pl: " (\($0))") } ?? ""
        return "claimsctl: \(reason)\(look)" + text(en: "; waiting on\(end)", pl: "; dalsze czekanie\(end)")
    }

    var daemonGone: String {
        text(en: "the daemon has gone away; waiting for it", pl: "demon zniknął; czekanie na niego")
    }

    var daemonIsBack: String { text(en: "the daemon is back", pl: "demon wrócił") }

    // Refusals.

    /// The ids that have no record; at most 20 of them are named.
    func noRecord(_ ids: [String]) -> String {
        let names = ids.prefix(20).joined(separator: ", ")
        let more = ids.count - 20
        let rest = more > 0 ? text(en: " and \(number(more)) more", pl: " i jeszcze \(number(more))") : ""
        return text(en: "no such record: \(names)\(rest)", pl: "nie ma takiego rekordu: \(names)\(rest)")
    }

    var nothingSubmittedInvalid: String {
        text(en: "not valid, so nothing was submitted", pl: "niepoprawne, więc niczego nie wysłano")
    }

    func andNoCollection(_ reason: String) -> String {
        text(en: "\(reason), and no collection of that name", pl: "\(reason) i nie ma kolekcji o tej nazwie")
    }
}

// The texts about hosts of upstreams.

extension Messages {
    var awaitedHosts: String { text(en: "Hosts that are waited for", pl: "Hosty, na które się czeka") }

    func hostClosed(until time: String) -> String {
        text(en: "wants no requests until \(time)", pl: "nie chce zapytań do \(time)")
    }

    func requestsUnderWay(_ count: Int64) -> String {
        let requests = self.count(count, Self.requests)
        return text(en: "\(requests) under way", pl: "\(requests) w toku")
    }

    func requestsWaiting(_ count: Int64) -> String {
        let noun = Plural(
            en: ("request waits", "requests wait"),
            pl: ("zapytanie czeka", "zapytania czekają", "zapytań czeka", "zapytania czeka"))
        return self.count(count, noun)
    }

    /// How many requests a host may get.
    ///
    /// - Parameter rate: such as `100/min`; nil for no such bound.
    func hostLimits(_ concurrency: Int64, rate: String?) -> String {
        let limit = text(
            en: "at most \(number(concurrency)) at once", pl: "naraz najwyżej \(number(concurrency))")
        guard let rate else { return limit }
        return text(en: "\(limit) and \(rate)", pl: "\(limit) i \(rate)")
    }

    private static let requests = Plural(
        en: ("request", "requests"), pl: ("zapytanie", "zapytania", "zapytań", "zapytania"))
}
