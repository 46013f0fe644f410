// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTerminal

// Texts of `trigger` for people.

extension Messages {
    /// The notice about state that this user may not read.
    func stateIsHidden(_ path: String) -> String {
        text(
            en:
                "what was told may not be read here (\(path)), so all that matches is shown; as root: what a cut would tell",
            pl:
                "nie wolno tu odczytać tego, co już powiedziano (\(path)), więc widać wszystko, co pasuje; jako root: to, "
                + "co byłoby powiedziane")
    }

    /// The notice about state that is damaged.
    func stateIsDamaged(_ path: String) -> String {
        text(
            en: "\(path) is damaged: the trigger will move it aside and begin as at its first run",
            pl: "\(path) jest uszkodzony: wyzwalacz odłoży go i zacznie jak przy pierwszym uruchomieniu")
    }

    /// The notice about a first run that reports nothing.
    func firstRunSkips(_ members: Int) -> String {
        text(
            en:
                "the first run tells nothing: it takes the \(members) that match now as told (first: \"all\" tells them)",
            pl: "pierwsze uruchomienie nic nie powie: te, które teraz pasują (\(members)), uzna za powiedziane "
                + "(first: \"all\" powie o nich)")
    }

    // The list.

    var triggerHeading: String { text(en: "trigger", pl: "wyzwalacz") }
    var triggerDetails: String { text(en: "how it is doing", pl: "stan") }

    /// The list without a line.
    func noTriggers(_ path: String) -> String {
        text(
            en: "no trigger has a command; write one into \(path)",
            pl: "żaden wyzwalacz nie ma polecenia; wpisz je do \(path)")
    }

    /// The state of a trigger, by its word.
    func triggerState(_ word: String) -> String {
        guard isPolish else { return word == "too_many" ? "too many" : word }
        switch word {
        case "wrong": return "błędny plik"
        case "stopped": return "zatrzymany"
        case "waiting": return "czeka"
        case "running": return "polecenie działa"
        case "retrying": return "ponawia"
        case "failing": return "zawodzi"
        case "refused": return "odmowa"
        case "too_many": return "za dużo"
        case "away": return "brak demona"
        default: return word
        }
    }

    /// The command that starts a stopped trigger.
    func triggerStart(_ command: String) -> String { text(en: "start it: \(command)", pl: "uruchom: \(command)") }

    func triggerMembers(_ count: Int) -> String { text(en: "\(count) match", pl: "pasuje: \(count)") }

    /// The batch that waits.
    func triggerBatch(lines: Int, attempt: Int?) -> String {
        let what = text(en: "a batch of \(lines) waits", pl: "czeka paczka (\(lines))")
        return what + (attempt.map { text(en: ", attempt \($0)", pl: ", próba \($0)") } ?? "")
    }

    /// The last end of a command.
    func triggerExit(_ exit: TriggerStatus.LastExit) -> String {
        switch exit {
        case .code(let code): text(en: "the command ended with \(code)", pl: "polecenie zakończyło się kodem \(code)")
        case .signal(let number):
            text(en: "the command was ended by signal \(number)", pl: "polecenie przerwał sygnał \(number)")
        case .timeout: text(en: "the command took too long", pl: "polecenie trwało za długo")
        case .notStarted(let errno):
            text(
                en: "the command could not be started: \(SystemError("", errno: errno).reason)",
                pl: "nie można uruchomić polecenia: \(text(SystemError("", errno: errno).reasonText))")
        }
    }

    func triggerTold(_ time: String) -> String { text(en: "last told \(time)", pl: "ostatnio powiedział \(time)") }
    func triggerNext(_ time: String) -> String { text(en: "next \(time)", pl: "następnie \(time)") }

    /// The result of `skip`.
    func skipped(_ batch: String, lines: Int) -> String {
        text(
            en: "the batch \(batch) of \(lines) counts as told", pl: "paczkę \(batch) (\(lines)) uznano za przekazaną")
    }

    // Notices.

    /// The number of records of a kind, in a subject.
    func noticeCount(_ op: String, _ count: Int) -> String {
        switch op {
        case "added": text(en: "\(count) new", pl: "nowe: \(count)")
        case "updated": text(en: "\(count) changed", pl: "zmienione: \(count)")
        default: text(en: "\(count) gone", pl: "ubyło: \(count)")
        }
    }

    /// The heading of the records of a kind.
    func noticeHeading(_ op: String, _ count: Int) -> String {
        switch op {
        case "added": text(en: "New (\(count)):", pl: "Nowe (\(count)):")
        case "updated": text(en: "Changed (\(count)):", pl: "Zmienione (\(count)):")
        default: text(en: "Gone (\(count)):", pl: "Już ich nie ma (\(count)):")
        }
    }

    func noticeMore(_ count: Int) -> String { text(en: "and \(count) more", pl: "oraz \(count) innych") }
    var noticeNothing: String { text(en: "nothing new", pl: "nic nowego") }
    var noticeTest: String { text(en: "test", pl: "próba") }

    /// Another condition of the collection.
    func noticeState(_ old: String, _ new: String) -> String {
        text(en: "the data is now \(new) (before: \(old))", pl: "stan danych: \(new) (przedtem: \(old))")
    }

    func noticeFormerID(_ id: String) -> String { text(en: "before: \(id)", pl: "przedtem: \(id)") }
    func noticeBefore(_ value: String) -> String { text(en: "before: \(value)", pl: "przedtem: \(value)") }
    func noticeAsOf(_ time: String) -> String { text(en: "Data of \(time)", pl: "Dane z \(time)") }
}
