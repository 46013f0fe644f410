// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// All words of the page, in English and Polish. A test compares those that claimsctl says too.

import { language } from "./text.js";
import { bdi } from "./dom.js";

/// Key: English, Polish. {name} stands for an argument.
export const words = {
    // The state of data: as in ClaimsBrowse/Content and ClaimsTerminal/Messages.
    "phase.asked": ["asked for", "zlecone"],
    "phase.queued": ["queued", "w kolejce"],
    "phase.connect": ["connecting", "łączenie"],
    "phase.receive": ["receiving", "odbieranie"],
    "phase.read": ["reading", "odczyt"],
    "phase.write": ["writing", "zapis"],
    refreshing: ["Refreshing: {progress}", "Odświeżanie: {progress}"],
    held: ["HELD: {records} instead of {before}", "WSTRZYMANE: {records} zamiast {before}"],
    fresh: ["Fresh: {age}", "Aktualne: {age}"],
    stale: ["STALE: {age}", "NIEAKTUALNE: {age}"],
    expired: ["EXPIRED: {age}", "PRZETERMINOWANE: {age}"],
    localTruth: ["Fresh: kept on this host", "Aktualne: prowadzone na tym hoście"],
    builtIn: ["BUILT-IN DATA", "DANE WBUDOWANE"],
    noUpstreamAnswered: ["no upstream has answered", "żaden serwer nie odpowiedział"],
    noUpstreamConfigured: ["no upstream is configured", "nie skonfigurowano serwera"],
    nextRefreshAt: ["next refresh {clock}", "następne odświeżenie {clock}"],
    nextTryAt: ["next try {clock}", "następna próba {clock}"],
    nextTry: ["Next try {clock}.", "Następna próba {clock}."],
    olderThanTTL: ["older than its ttl of {ttl}", "starsze niż ttl, czyli {ttl}"],
    oldSite: ["{old} of {total} {sites} is not fresh", "nieaktualne oddziały: {old} z {total}"],
    oldSites: ["{old} of {total} {sites} are not fresh", "nieaktualne oddziały: {old} z {total}"],
    limited: ["limited", "widok ograniczony"],
    notLive: ["not live", "nie na żywo"],
    notLiveBecause: ["not live: {reason}", "nie na żywo: {reason}"],
    noUpstream: ["{title} has no upstream.", "{title}: brak serwera źródłowego."],
    loading: ["Loading {title}…", "{whole}: wczytywanie…"],
    noRecords: ["No {title}.", "{whole}: brak rekordów."],
    noneYouMaySee: ["No {title} that you may see.", "{whole}: brak rekordów, które możesz zobaczyć."],
    noneYet: ["There are none yet.", "Jeszcze ich nie ma."],
    noneWithin: ["No {title}{limit}.", "{whole}: brak rekordów{limit}."],
    upstreamHasNone: ["The upstream answered at {clock} and has none.", "Serwer odpowiedział o {clock} i nie ma żadnych."],
    allArchived: ["All {title} are archived ({archived}).", "{whole}: wszystkie są w archiwum ({archived})."],
    noMatch: ["No {title} match {terms}{limit}.", "{whole}: nic nie pasuje do {terms}{limit}."],
    unable: ["Unable to load {title}.", "{whole}: nie udało się wczytać."],
    unableBecause: ["Unable to load {title}: {reason}.", "{whole}: nie udało się wczytać: {reason}."],
    withheld: ["{whole} is withheld: {cause}.", "{whole} – niepokazywane: {cause}."],
    inView: ["view {view}", "widok {view}"],
    inOrder: ["by {order}", "porządek: {order}"],
    onlyArchived: ["only archived", "tylko archiwum"],
    withArchived: ["with archived", "z archiwum"],
    archivedMark: ["archived", "w archiwum"],
    searching: ["Searching…", "Szukam…"],
    otherGroup: ["Others", "Pozostałe"],
    isID: ["'{id}' is the id of a record:", "„{id}” to identyfikator rekordu:"],

    // The connection.
    connecting: ["Connecting to claimsd…", "Łączenie z claimsd…"],
    silent: ["claimsd does not answer since {clock} · trying again", "claimsd nie odpowiada od {clock} · próbuję dalej"],
    absent: ["claimsd is not running on this host", "claimsd nie działa na tym hoście"],
    denied: [
        "This account may not ask claimsd: it is not in the group claims. Whoever runs this host can add it; that holds from your next login on.",
        "To konto nie ma dostępu do claimsd: nie należy do grupy claims. Może je dodać administrator hosta; działa to od następnego logowania.",
    ],
    unreachable: ["The connection to this host is lost since {clock} · trying again", "Brak połączenia z hostem od {clock} · próbuję dalej"],
    loggedOut: ["You are logged out.", "Nie jesteś zalogowany(-a)."],
    logInAgain: ["Log in again", "Zaloguj się ponownie"],
    opensNewTab: ["opens a new tab", "otwiera nową kartę"],
    back: ["claimsd answers again.", "claimsd znów odpowiada."],
    updated: ["claimsd was updated", "claimsd zaktualizowano"],
    reload: ["Reload", "Odśwież stronę"],
    otherHost: [
        "This page shows the host that you have logged in to, not {host}. Nothing was asked there.",
        "Ta strona pokazuje host, na którym jesteś zalogowany(-a), a nie {host}. O nic tam nie zapytano.",
    ],
    idle: ["You will be logged out in {seconds} s, because nothing was done here.", "Za {seconds} s nastąpi wylogowanie z powodu bezczynności."],
    stay: ["Stay logged in", "Pozostań zalogowany(-a)"],

    // The frame.
    records: ["Records", "Rejestry"],
    collections: ["Collections", "Kolekcje"],
    outbox: ["Outbox", "Wysyłka"],
    status: ["Status", "Stan"],
    needsAttention: ["needs attention", "wymaga uwagi"],
    language: ["Language", "Język"],
    logOut: ["Log out", "Wyloguj"],
    skip: ["To the content", "Do treści"],
    dismiss: ["Close", "Zamknij"],
    unknownAddress: ["There is nothing at this address.", "Pod tym adresem nic nie ma."],
    unknownCollection: ["There is no collection {name}.", "Nie ma kolekcji {name}."],
    toStart: ["To the first list", "Do pierwszej listy"],
    toList: ["To the list: {title}", "Do listy: {title}"],
    noCollections: ["claimsd serves no collections.", "claimsd nie udostępnia żadnych kolekcji."],
    printed: ["{host}, {time}", "{host}, {time}"],
    yes: ["yes", "tak"],
    no: ["no", "nie"],
    cancel: ["Cancel", "Anuluj"],
    sentence: ["{text}", "{text}"],
    notOffered: ["{title}: not offered", "{title}: niedostępne"],
    needsRole: ["Needs the role {role}", "Wymaga roli {role}"],
    notAnswered: ["claimsd does not answer; nothing was done", "claimsd nie odpowiada; nic nie zrobiono"],

    // The list.
    search: ["Search", "Szukaj"],
    filter: ["Filter", "Filtr"],
    filterHint: ["such as status!=ok", "na przykład status!=ok"],
    view: ["View", "Widok"],
    allRecords: ["all records", "wszystkie rekordy"],
    order: ["Order", "Porządek"],
    reversed: ["reversed", "odwrotnie"],
    ownOrder: ["default", "domyślny"],
    archive: ["Archive", "Archiwum"],
    archiveHidden: ["hidden", "ukryte"],
    archiveShown: ["shown", "pokazane"],
    archiveOnly: ["only archived", "tylko archiwum"],
    rowsAPage: ["Rows a page", "Wierszy na stronie"],
    first: ["First", "Pierwsza"],
    previous: ["Previous", "Poprzednia"],
    next: ["Next", "Następna"],
    last: ["Last", "Ostatnia"],
    pages: ["Pages", "Strony"],
    range: ["{first}–{last} of {total}", "{first}–{last} z {total}"],
    total: ["{records}", "{records}"],
    refresh: ["Refresh", "Odśwież"],
    accept: ["Accept", "Przyjmij"],
    acceptQuestion: ["Take {records} instead of {before}?", "Przyjąć {records} zamiast {before}?"],
    create: ["New", "Nowy"],
    deal: ["Deal", "Oferta"],
    clearSearch: ["Clear the search", "Wyczyść wyszukiwanie"],
    clearFilter: ["Clear the filter", "Wyczyść filtr"],
    clearView: ["Show all records", "Pokaż wszystkie rekordy"],
    showAll: ["Show those that are not archived", "Pokaż rekordy spoza archiwum"],
    showArchived: ["Show the archive too", "Pokaż też archiwum"],
    newer: ["{newer} · Show", "{newer} · Pokaż"],
    rebuilt: ["Rebuilt · Show", "Zbudowano od nowa · Pokaż"],
    changedMark: ["changed", "zmieniony"],
    "removed.gone": ["gone", "usunięty"],
    "removed.quarantined": ["unreadable now", "teraz nieczytelny"],
    "removed.archived": ["archived", "w archiwum"],
    "removed.unarchived": ["unarchived", "przywrócony"],
    "removed.renamed": ["has a new id", "ma nowy identyfikator"],
    "removed.no_longer_matches": ["no match any more", "już nie pasuje"],
    "pending.queued": ["queued", "w kolejce"],
    "pending.accepted": ["accepted", "przyjęta"],
    "pending.stuck": ["needs attention", "wymaga uwagi"],
    files: ["Files", "Pliki"],
    pending: ["Pending", "W toku"],
    viewGone: ["The view '{name}' is gone.", "Widoku „{name}” już nie ma."],
    orderGone: ["The order '{name}' is gone.", "Porządku „{name}” już nie ma."],
    pageMoved: ["The page began with a record that is gone: this is the start.", "Rekordu, od którego zaczynała się strona, już nie ma: oto początek."],
    keysHelp: ["Keys in the list: arrows, Home, End, Page Up, Page Down, Enter; / search, a archive, u undo, r refresh, n new, e edit", "Klawisze na liście: strzałki, Home, End, Page Up, Page Down, Enter; / szukaj, a archiwum, u cofnij, r odśwież, n nowy, e edytuj"],

    // Archive and refresh.
    archived: ["Archived {ids}", "Przeniesiono do archiwum: {ids}"],
    unarchived: ["Unarchived {ids}", "Przywrócono z archiwum: {ids}"],
    undo: ["Undo", "Cofnij"],
    nothingToUndo: ["Nothing was archived here that could be undone.", "Nie ma tu nic do cofnięcia."],
    isGone: ["{id} is not there any more", "{id}: tego już nie ma"],
    notArchivable: ["{title}: no archive (archive: false)", "{title}: bez archiwum (archive: false)"],
    refreshedWith: ["{title} refreshed: {changes}.", "{title}, odświeżono: {changes}."],
    added: ["{number} added", "dodane: {number}"],
    changed: ["{number} changed", "zmienione: {number}"],
    removed: ["{number} removed", "usunięte: {number}"],
    nothingElse: ["nothing else changed", "poza tym bez zmian"],
    unchanged: ["{title}: nothing has changed.", "{title}: nic się nie zmieniło."],
    wasHeld: ["{title}: too much would go; it is held.", "{title}: znikłoby zbyt wiele; wstrzymano."],
    skipped: ["{title} cannot be refreshed now.", "{title}: teraz nie można odświeżyć."],
    skippedUntil: ["{title} cannot be refreshed now, not before {clock}.", "{title}: teraz nie można odświeżyć, nie wcześniej niż {clock}."],
    notRefreshed: ["{title} was not refreshed: {reason}", "{title}: nie odświeżono: {reason}"],
    joinMissing: ["{title} was refreshed, but {reason}", "{title}: odświeżono, ale {reason}"],
    another: ["Another", "Następna"],
};

function form(key) {
    const pair = words[key];
    if (!pair) throw new Error(`no words for ${key}`);
    return pair[language() === "pl" ? 1 : 0];
}

/// Words with their arguments put in.
export function say(key, values = {}) {
    return form(key).replace(/\{(\w+)\}/g, (found, name) => String(values[name] ?? ""));
}

/// The same as nodes, each argument in <bdi>: for sentences with text from records.
export function phrase(key, values = {}) {
    return form(key).split(/\{(\w+)\}/).map((part, index) => index % 2 ? bdi(String(values[part] ?? "")) : part);
}

/// Whether there are words for a key: codes of a newer daemon have none.
export const knows = key => Object.hasOwn(words, key);
