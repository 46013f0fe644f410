// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import Glibc

/// The hints about a socket that cannot be opened: they name the command that helps.
enum SocketAdvice {
    /// The hint for a connection that failed with this error number; nil for an error without a hint.
    ///
    /// - Parameter exists: returns whether a file or folder exists.
    static func hint(path: String, errno: Int32, exists: (String) -> Bool = Files.exists) -> TranslatedText? {
        let unit = DaemonUnit(socket: path)
        switch errno {
        case ENOENT, ENOTDIR:
            guard let unit else {
                return TranslatedText(
                    en: "does the daemon listen there? --socket or CLAIMSD_SOCKET names the path",
                    pl: "czy demon tam nasłuchuje? ścieżkę podaje --socket lub CLAIMSD_SOCKET")
            }
            return missing(path, unit, exists)
        case ECONNREFUSED:
            guard let unit else {
                return TranslatedText(
                    en: "nobody listens there; --socket or CLAIMSD_SOCKET names another path",
                    pl: "nikt tam nie nasłuchuje; inną ścieżkę podaje --socket lub CLAIMSD_SOCKET")
            }
            let (start, status) = (unit.command("start"), unit.command("status"))
            return TranslatedText(
                en: "nobody listens there; to start the daemon: \(start); why it ended: \(status)",
                pl: "nikt tam nie nasłuchuje; aby uruchomić demona: \(start); dlaczego zakończył: \(status)")
        case ETIMEDOUT:
            let status = unit?.command("status")
            return TranslatedText(
                en: "its queue of connections is full, and the daemon takes none"
                    + (status.map { "; to see how it is: \($0)" } ?? ""),
                pl: "kolejka połączeń jest pełna i demon żadnego nie przyjmuje"
                    + (status.map { "; aby zobaczyć jego stan: \($0)" } ?? ""))
        case EACCES, EPERM:
            return SocketAccess(path: path).hint
        default: return nil
        }
    }
}

extension SocketAdvice {
    /// The hint about a unit's socket that is not there.
    private static func missing(_ path: String, _ unit: DaemonUnit, _ exists: (String) -> Bool) -> TranslatedText {
        let hint: TranslatedText
        // The folder goes with the unit that makes it. Where it is there, somebody has removed the file.
        if exists(Paths.parent(path)) {
            let restart = unit.socketRestart
            hint = TranslatedText(
                en: "its file is gone; to make it anew: \(restart)",
                pl: "nie ma jego pliku; aby go odtworzyć: \(restart)")
        } else {
            let start = unit.command("start")
            hint = TranslatedText(
                en: "there is no socket; to start the daemon: \(start)",
                pl: "nie ma gniazda; aby uruchomić demona: \(start)")
        }
        guard path == SocketPath.system, DaemonUnit.ownFolders.contains(where: exists) else { return hint }
        let own = DaemonUnit.usersOwn.command("start")
        return hint.joined("; ", TranslatedText(en: "to start your own: \(own)", pl: "aby uruchomić własnego: \(own)"))
    }
}

/// The permissions of a socket, seen by a user who may not open it.
struct SocketAccess {
    /// The folder in which the socket is.
    let folder: String
    /// The group of the socket, by name or number; nil if its permissions cannot be read.
    let group: String?
    /// Whether members of the group may open the socket.
    let isOpenToGroup: Bool
    /// The name of the user.
    let user: String
    /// Whether this process has the group.
    let hasGroup: Bool
    /// Whether the group's entry in the database names the user: then a new login has the group.
    let isMember: Bool

    /// The way to get access.
    var hint: TranslatedText {
        guard let group else {
            return TranslatedText(
                en: "your user '\(user)' may not enter the folder \(folder)",
                pl: "użytkownik „\(user)” nie może wejść do folderu \(folder)")
        }
        if hasGroup, isOpenToGroup {
            return TranslatedText(
                en: "the group '\(group)', which your user has, may open it, but not from here: is this a sandbox?",
                pl: "grupa „\(group)”, którą ma użytkownik, może je otworzyć, ale nie stąd: czy to piaskownica?")
        }
        if !isOpenToGroup {
            return TranslatedText(
                en: "only its owner may open it; the group '\(group)' may not",
                pl: "może je otworzyć tylko właściciel; grupa „\(group)” nie może")
        }
        if isMember {
            return TranslatedText(
                en:
                    "your user '\(user)' is in the group '\(group)', which may open it, but only from the next login on: "
                    + "log in again, or: newgrp \(group)",
                pl:
                    "użytkownik „\(user)” należy do grupy „\(group)”, która może je otworzyć, ale dopiero od następnego "
                    + "logowania: zaloguj się ponownie albo: newgrp \(group)")
        }
        let command = "sudo usermod -aG \(group) \(user)"
        return TranslatedText(
            en: "the group '\(group)' may open it, and your user '\(user)' is not in it: \(command), then log in again",
            pl: "może je otworzyć grupa „\(group)”, a użytkownik „\(user)” do niej nie należy: \(command), "
                + "potem zaloguj się ponownie")
    }
}

extension SocketAccess {
    /// Reads the permissions of the socket, and the groups of this process.
    init(path: String) {
        let gid = Files.owner(path)?.group
        let uid = geteuid()
        let user = Accounts.userName(uid) ?? String(uid)
        self.user = user
        folder = Paths.parent(path)
        group = gid.map { Accounts.groupName($0) ?? String($0) }
        isOpenToGroup = (Files.permissions(path) ?? 0) & 0o060 == 0o060
        hasGroup = gid.map { getegid() == $0 || ProcessGroups.all().contains($0) } ?? false
        isMember =
            gid.map { Accounts.members(ofGroup: $0).contains(user) || Accounts.firstGroup(of: uid) == $0 } ?? false
    }
}
