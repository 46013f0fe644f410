// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
public import ClaimsModel

// The questions and texts about operations.

extension Messages {
    var askSubmit: String { text(en: "Submit?", pl: "Wysłać?") }

    func askDelete(_ count: String, _ names: String) -> String {
        text(en: "Delete \(count): \(names)?", pl: "Usunąć \(count): \(names)?")
    }

    var file: String { text(en: "File", pl: "Plik") }

    func file(_ number: Int) -> String { "\(file) \(number)" }

    var files: String { text(en: "Files", pl: "Pliki") }

    var filesTaken: String { text(en: "Files taken away", pl: "Pliki odłączane") }

    var noSuchFile: String { text(en: "there is no such file", pl: "nie ma takiego pliku") }

    var standardInput: String { text(en: "standard input", pl: "standardowe wejście") }

    var takesJSON: String {
        text(en: "a json field takes JSON, such as '[\"7\"]'", pl: "pole json przyjmuje JSON, na przykład '[\"7\"]'")
    }

    /// The reason why a text is no day or moment, with what people can type.
    public func noTime(_ type: FieldType) -> String {
        type == .date
            ? text(
                en: "not a date: such as 2036-01-31, tomorrow or +30d",
                pl: "to nie jest data, jak na przykład 2036-01-31, tomorrow lub +30d")
            : text(
                en: "not a time: such as 2036-01-31, 2036-01-31 14:30, tomorrow or +30d",
                pl: "to nie jest czas, jak na przykład 2036-01-31, 2036-01-31 14:30, tomorrow lub +30d")
    }

    /// How far a file is sent.
    func sending(_ name: String, _ sent: Int64, of size: Int64) -> String {
        text(en: "sending \(name): \(self.size(sent, of: size))", pl: "wysyłanie \(name): \(self.size(sent, of: size))")
    }

    func fetching(_ name: String, _ received: Int64, of size: Int64) -> String {
        text(
            en: "fetching \(name): \(self.size(received, of: size))",
            pl: "pobieranie \(name): \(self.size(received, of: size))")
    }

    /// How far an operation is: `sending 1.2 of 3.0 MiB, file 2 of 3`.
    func sendingOperation(_ sent: Int64, of size: Int64, file: (number: Int64, count: Int64)?) -> String {
        let part = self.size(sent, of: size)
        let file = file.map {
            text(en: ", file \($0.number) of \($0.count)", pl: ", plik \($0.number) z \($0.count)")
        }
        return text(en: "sending \(part)", pl: "wysyłanie \(part)") + (file ?? "")
    }

    var waitingForUpstream: String { text(en: "waiting for the upstream", pl: "czekanie na serwer") }

    func submittedWaiting(_ op: String) -> String {
        text(en: "submitted as operation \(op); waiting", pl: "złożono jako operację \(op); czekanie")
    }

    /// The comments at the start of a form in an editor.
    func editorHelp(_ title: String) -> [String] {
        [
            text(
                en: "\(title): change values, save, and leave the editor. null is no value.",
                pl: "\(title): zmień wartości, zapisz i opuść edytor. null to brak wartości."),
            text(
                en: "Where nothing is changed, or the file is empty, nothing is done.",
                pl: "Gdy nic się nie zmieni albo plik jest pusty, nic się nie dzieje."),
        ]
    }

    /// That a moment without a time zone is one of the reader's own.
    var byYourClock: String { text(en: "by your clock", pl: "według twojego zegara") }

    func keptText(in path: String) -> String {
        text(
            en: "claimsctl: what you wrote is kept in \(path)",
            pl: "claimsctl: to, co napisano, jest zachowane w \(path)")
    }

    var nothingChanged: String { text(en: "nothing was changed", pl: "niczego nie zmieniono") }

    var nothingDiffers: String { text(en: "nothing differs", pl: "nic się nie różni") }

    /// An action that was done, before the name of the record.
    func done(_ action: String) -> String {
        switch action {
        case "create": text(en: "added", pl: "dodano")
        case "delete": text(en: "deleted", pl: "usunięto")
        case "update": text(en: "changed", pl: "zmieniono")
        default: action
        }
    }

    func recordOperation(_ id: String, _ state: String) -> String {
        text(en: "\(id) \(state)", pl: "\(id): operacja \(state)")
    }

    func lookAtOperation(_ op: String) -> String {
        text(en: "to look at it: claimsctl outbox get \(op)", pl: "aby na nią spojrzeć: claimsctl outbox get \(op)")
    }

    var lookAtOne: String {
        text(en: "to look at one: claimsctl outbox get OP", pl: "aby spojrzeć na jedną: claimsctl outbox get OP")
    }

    var submittedBefore: String { text(en: "submitted before", pl: "złożono wcześniej") }

    func operationNamed(_ op: String) -> String { text(en: "operation \(op)", pl: "operacja \(op)") }

    // The outbox.

    var nothingUnderWay: String {
        text(en: "no operation is queued or being sent", pl: "żadna operacja nie czeka ani nie jest wysyłana")
    }

    func needAttention(_ count: Int, _ list: String) -> String {
        let noun = Plural(
            en: ("operation needs", "operations need"),
            pl: ("operacja wymaga", "operacje wymagają", "operacji wymaga", "operacji"))
        let count = self.count(count, noun)
        return text(en: "\(count) attention: \(list)", pl: "\(count) uwagi: \(list)")
    }

    func refused(_ state: String) -> String { text(en: "refused: \(state)", pl: "odrzucono: \(state)") }

    func stateForbids(_ action: String, _ list: String) -> String {
        text(
            en: "the state of these does not allow '\(action)', or they are not yours: \(list)",
            pl: "stan tych operacji nie pozwala na „\(action)” albo nie są Twoje: \(list)")
    }

    /// The way on with operations that the upstream may have done, or that are in conflict, where `retry` is refused.
    func resolves(_ op: String, isConflict: Bool) -> String {
        isConflict
            ? text(
                en: "to send it over theirs: claimsctl outbox resolve \(op) --as mine; to give it up: drop",
                pl: "aby wysłać ją mimo zmian: claimsctl outbox resolve \(op) --as mine; aby zrezygnować: drop")
            : text(
                en: "the upstream may have done it. If it has: claimsctl outbox resolve \(op) --as done; "
                    + "to send it again: --as again",
                pl: "serwer mógł ją wykonać. Jeśli tak: claimsctl outbox resolve \(op) --as done; "
                    + "aby wysłać ponownie: --as again")
    }

    func noOperation(_ names: String) -> String {
        text(en: "no such operation: \(names)", pl: "nie ma takiej operacji: \(names)")
    }

    var newRecord: String { text(en: "new", pl: "nowy") }

    /// That an operation waits for another one, and with it for a person.
    public func waits(for op: String, isStuck: Bool = false) -> String {
        isStuck
            ? text(en: "waits for \(op), which needs a person", pl: "czeka na \(op), która wymaga decyzji")
            : text(en: "waits for \(op)", pl: "czeka na \(op)")
    }

    /// That nothing of a record is sent before a person has decided about an earlier operation.
    func recordWaits(_ id: String, for op: String) -> String {
        text(
            en: "\(id) waits for a person: operation \(op) goes before it, and needs a decision",
            pl: "\(id) czeka na człowieka: wcześniejsza operacja \(op) wymaga decyzji")
    }

    /// That an operation that is to be tried at once waits all the same.
    func stillWaits(_ op: String, for other: String, isStuck: Bool) -> String {
        isStuck
            ? text(
                en: "\(op) still waits for operation \(other), which needs a person: claimsctl outbox get \(other)",
                pl: "\(op) nadal czeka na operację \(other), która wymaga decyzji: claimsctl outbox get \(other)")
            : text(
                en: "\(op) still waits for operation \(other)", pl: "\(op) nadal czeka na operację \(other)")
    }

    func before(_ value: String) -> String { text(en: " (before: \(value))", pl: " (przedtem: \(value))") }

    var noValue: String { text(en: "none", pl: "brak") }

    var values: String { text(en: "Values", pl: "Wartości") }

    var theirs: String { text(en: "At the upstream", pl: "Na serwerze") }

    var noRecordThere: String { text(en: "no such record", pl: "nie ma takiego rekordu") }

    var answer: String { text(en: "Answer", pl: "Odpowiedź") }

    var attempts: String { text(en: "Attempts", pl: "Próby") }

    func status(_ code: Int64) -> String { "status \(code)" }

    /// An origin that is not sent to now.
    func paused(_ origin: String, _ reason: String, next: String) -> String {
        text(
            en: "\(origin) is paused: \(reason); next try \(next)",
            pl: "\(origin) wstrzymano: \(reason); następna próba \(next)")
    }

    // Previews.

    var thisHost: String { text(en: "this host", pl: "ten host") }

    var goesTo: String { text(en: "Goes to", pl: "Dokąd") }

    var changedFields: String { text(en: "changed", pl: "zmienione") }

    // Differences.

    func difference(_ field: String, expected: String?, now: String?) -> String {
        func shown(_ value: String?) -> String { value.map(quoted) ?? text(en: "no value", pl: "brak wartości") }
        return text(
            en: "\(field): expected \(shown(expected)), now \(shown(now))",
            pl: "\(field): oczekiwano \(shown(expected)), jest \(shown(now))")
    }
}

extension TranslatedText {
    static func notJSON(_ error: JSONError) -> TranslatedText {
        TranslatedText(en: "not JSON", pl: "to nie jest JSON").joined(": ", error.text)
    }

    static var noDescription: TranslatedText {
        TranslatedText(en: "the daemon describes no collection", pl: "demon nie opisuje żadnej kolekcji")
    }
}
