// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// Advice about data that does not come.

extension Messages {
    private func wait(_ collection: String, site: String? = nil) -> String {
        "claimsctl refresh --collection \(collection)\(site.map { " --site \($0)" } ?? "") --wait"
    }

    func waitForFirstFetch(of collection: String) -> String {
        text(
            en: "the first fetch is under way; to wait for it: \(wait(collection))",
            pl: "trwa pierwsze pobieranie; aby na nie poczekać: \(wait(collection))")
    }

    func tryAgainOrLook(at collection: String) -> String {
        text(
            en: "to try again now: \(wait(collection)); more: claimsctl status",
            pl: "aby spróbować ponownie teraz: \(wait(collection)); więcej: claimsctl status")
    }

    func askNow(_ collection: String) -> String {
        text(en: "to ask the upstream now: \(wait(collection))", pl: "aby teraz zapytać serwer: \(wait(collection))")
    }

    /// The advice for data that is too old, of a collection without a source.
    var nothingToAsk: String {
        text(
            en: "there is no upstream to ask; to see where to name one: claimsctl status",
            pl: "nie ma serwera, który można by zapytać; gdzie go wpisać, podaje: claimsctl status")
    }

    /// - Parameters:
    ///   - collections: one collection, or several, which are refreshed with all others.
    ///   - file: the definition that says how often it is asked.
    func askMoreOften(_ collections: [String], in file: String) -> String {
        let command = collections.count == 1 ? wait(collections[0]) : "claimsctl refresh --wait"
        return text(
            en: "to ask the upstream now: \(command); to ask it more often: source.interval in \(file)",
            pl: "aby teraz zapytać serwer: \(command); aby pytać częściej: source.interval w \(file)")
    }

    /// - Parameters:
    ///   - collections: one collection, or several, which are refreshed with all others.
    ///   - site: the site of the only collection; nil for all of it.
    func tryNow(_ collections: [String], site: String?) -> String {
        let command = collections.count == 1 ? wait(collections[0], site: site) : "claimsctl refresh --wait"
        return text(en: "to try now: \(command)", pl: "aby spróbować teraz: \(command)")
    }

    private func followed(by command: String?) -> String {
        command.map { text(en: ", then: \($0)", pl: ", potem: \($0)") } ?? ""
    }

    func correct(_ key: String, in file: String, then reload: String?) -> String {
        text(en: "correct \(key) in \(file)", pl: "popraw \(key) w \(file)") + followed(by: reload)
    }

    func check(_ keys: String..., in file: String, then reload: String?) -> String {
        let keys = list(keys)
        return text(en: "check \(keys) in \(file)", pl: "sprawdź \(keys) w \(file)") + followed(by: reload)
    }

    var checkNetwork: String {
        text(
            en: "check the network and the upstream; it is tried again by itself",
            pl: "sprawdź sieć i serwer; kolejne próby następują same")
    }

    /// - Parameter folders: those that are on the disk that is full; empty if they are not known.
    func freeRoom(in folders: [String]) -> String {
        guard !folders.isEmpty else {
            return text(
                en: "free room on the disk of the daemon's state and cache; it is tried again by itself",
                pl: "zwolnij miejsce na dysku ze stanem i pamięcią podręczną demona; kolejne próby następują same")
        }
        return text(
            en: "free room on the disk of \(list(folders)); it is tried again by itself",
            pl: "zwolnij miejsce na dysku, na którym są \(list(folders)); kolejne próby następują same")
    }

    var endLock: String {
        text(
            en: "end the program that has state.db open, which fuser(1) names; it is tried again by itself",
            pl: "zakończ program, który ma otwarty plik state.db (podaje go fuser(1)); kolejne próby następują same")
    }

    var checkCertificate: String {
        text(
            en: "check the upstream's certificate and this machine's clock",
            pl: "sprawdź certyfikat serwera i zegar tego komputera")
    }

    /// - Parameter key: the key that names authorities.
    func trust(_ key: String, in file: String, then reload: String?) -> String {
        text(
            en: "if its authority is your own, name it in \(key).ca in \(file)",
            pl: "jeśli to własny urząd certyfikacji, wpisz go w \(key).ca w \(file)")
            + followed(by: reload)
    }

    /// - Parameter file: the definition, which may count pages; those are asked for twice.
    func checkCache(of file: String) -> String {
        text(
            en: "check the clocks, and how long caches before the server keep its answers; if source.next in \(file) "
                + "counts pages of a list that stands still while it is read, add stable: true there",
            pl: "sprawdź zegary i to, jak długo serwery pośredniczące przechowują odpowiedzi; jeśli source.next "
                + "w \(file) liczy strony listy, która nie zmienia się podczas czytania, dopisz tam stable: true")
    }

    var checkProxy: String {
        text(
            en: "check the proxy in the service's environment (https_proxy)",
            pl: "sprawdź serwer pośredniczący w środowisku usługi (https_proxy)")
    }

    var raisePause: String {
        text(
            en: "raise limits.pause, or ask less often",
            pl: "zwiększ limits.pause albo pytaj rzadziej")
    }

    var upstreamHasToBeMended: String {
        text(
            en: "the upstream has to be put right; it is asked again by itself",
            pl: "naprawy wymaga serwer; kolejne próby następują same")
    }

    /// - Parameter key: the key with the address.
    func finalAddress(_ key: String, in file: String, then reload: String?) -> String {
        text(en: "put the final address into \(key) in \(file)", pl: "wpisz ostateczny adres do \(key) w \(file)")
            + followed(by: reload)
    }

    var raiseLimit: String {
        text(
            en: "raise limits.body, if this much is meant to come",
            pl: "zwiększ limits.body, jeśli naprawdę ma przychodzić tyle danych")
    }

    /// - Parameters:
    ///   - file: the definition that names it.
    ///   - folder: the folder for credentials; nil if it is not known.
    ///   - restart: the command that restarts the daemon; nil if it is not known.
    func putCredential(of file: String, in folder: String?, then restart: String?) -> String {
        text(
            en: "put the credential that \(file) names into \(folder ?? "the folder of credentials"), and: "
                + (restart ?? "restart claimsd"),
            pl: "włóż dane uwierzytelniające, które wskazuje \(file), do "
                + (folder ?? "ich folderu") + " i: " + (restart ?? "uruchom ponownie claimsd"))
    }

    /// For a credential that is there; the parameters are those of `putCredential`.
    func mendCredential(of file: String, in folder: String?, then restart: String?) -> String {
        text(
            en: "correct the credential in \(folder ?? "the folder of credentials"), or its name in \(file), and: "
                + (restart ?? "restart claimsd"),
            pl: "popraw dane uwierzytelniające w \(folder ?? "ich folderze") albo ich nazwę w \(file) i: "
                + (restart ?? "uruchom ponownie claimsd"))
    }

    var checkFile: String {
        text(
            en: "check that the file is there and that the daemon may read it",
            pl: "sprawdź, czy plik istnieje i czy demon może go czytać")
    }

    /// - Parameter collections: one collection; of several the first, as each is to be looked at.
    func acceptHeld(_ collections: [String]) -> String {
        let command = "claimsctl refresh --collection \(collections.first ?? "") --accept --wait"
        return text(en: "if it is right: \(command)", pl: "jeśli to się zgadza: \(command)")
    }

    /// - Parameter key: the key with the address.
    func checkAnswer(_ key: String, _ file: String) -> String {
        text(
            en: "check what \(key) and source.root in \(file) lead to",
            pl: "sprawdź, dokąd prowadzą \(key) i source.root w \(file)")
    }
}
