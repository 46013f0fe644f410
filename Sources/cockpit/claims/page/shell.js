// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The frame around all screens: header, band of the connection, notices, the polite and the assertive live region.

import { h, replace, setText } from "./dom.js";
import { exactClock, language, line, number } from "./text.js";
import { phrase, say } from "./words.js";
import { href } from "./router.js";
import { needsAttention } from "./store.js";

const newsInterval = 5000;

/// Dark as the browser prefers it; in Cockpit's console as chosen there.
function followTheme(isInConsole) {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const apply = () => {
        const choice = isInConsole ? localStorage.getItem("shell:style") : null;
        document.documentElement.classList.toggle("dark", choice === "dark" || choice !== "light" && dark.matches);
    };
    dark.addEventListener("change", apply);
    addEventListener("storage", apply);
    addEventListener("cockpit-style", apply);
    apply();
}

export class Shell {
    /// The element that screens fill.
    main = h("main", { id: "main", tabindex: "-1" });
    #app;
    #nav = h("nav");
    #who = h("span", { class: "who" });
    #band = h("div", { class: "bands" });
    #notice = h("div", { class: "notice", hidden: true });
    #polite = h("div", { class: "unseen", role: "status", "aria-live": "polite" });
    #assertive = h("div", { class: "unseen", role: "alert" });
    #printed = h("p", { class: "printed" });
    #current = { screen: "start" };
    #isUpdated = false;
    #isLost = false;
    #lastNews = 0;
    #news = null;

    constructor(app) {
        this.#app = app;
        document.documentElement.lang = language();
        followTheme(app.isInConsole);
        document.body.replaceChildren(
            h("a", { class: "skip", href: href({ screen: "start" }), onclick: event => this.#skip(event) }, say("skip")),
            h("header", {}, this.#nav, h("div", { class: "person" }, this.#who, this.#languageChoice(), this.#logOut())),
            this.#band, this.#notice, this.main, this.#printed, this.#polite, this.#assertive);
        this.#nav.setAttribute("aria-label", say("collections"));
        addEventListener("beforeprint", () => setText(
            this.#printed, say("printed", { host: location.hostname, time: new Date().toLocaleString(language()) })));
    }

    #skip(event) {
        event.preventDefault();
        this.main.focus();
    }

    #languageChoice() {
        const names = { en: "English", pl: "Polski" };
        const other = language() === "pl" ? "en" : "pl";
        return h("button", { class: "plain", lang: other, onclick: () => this.#app.chooseLanguage(other) }, names[other]);
    }

    #logOut() {
        if (this.#app.isInConsole) return null;
        return h("button", { class: "plain", onclick: () => this.#app.session.logOut() }, say("logOut"));
    }

    /// Shows where one is, in the header and in the title of the document.
    locate(address, title) {
        this.#current = address;
        document.title = title ? `${title} – claimsd` : "claimsd";
        this.drawHeader();
    }

    drawHeader() {
        const { store, link } = this.#app;
        const { status } = store;
        const item = (address, name, { total, isUrgent, isCurrent }) => h("li", {},
            h("a", { href: href(address), "aria-current": isCurrent ? "page" : null },
                h("bdi", { text: line(name) }),
                total === undefined ? null : h("span", { class: "total", text: ` ${number(total)}` }),
                isUrgent ? h("span", { class: "urgent", role: "img", "aria-label": say("needsAttention"), text: "!" }) : null));
        const here = this.#current;
        const isRecords = !["outbox", "operation", "status"].includes(here.screen);
        const items = (status?.collections ?? []).map(entry => item({ screen: "list", collection: entry.name }, entry.title ?? entry.name, {
            total: Math.max(0, entry.total - (entry.archived ?? 0)), isUrgent: needsAttention(entry), isCurrent: isRecords && here.collection === entry.name,
        }));
        if (status?.outbox) {
            items.push(item({ screen: "outbox" }, say("outbox"), {
                isUrgent: status.outbox.stuck > 0, isCurrent: ["outbox", "operation"].includes(here.screen),
            }));
        }
        items.push(item({ screen: "status" }, say("status"), {
            isUrgent: (status?.problems ?? []).length > 0, isCurrent: here.screen === "status",
        }));
        this.#swapList(items);
        const user = this.#app.session.user;
        setText(this.#who, user ? line(user) : link.hello ? `uid ${link.hello.you.uid}` : "");
    }

    /// New links only if something differs: focus and a reader's place stay.
    #swapList(items) {
        const old = this.#nav.firstElementChild;
        const next = h("ul", {}, items);
        if (old?.isEqualNode(next)) return;
        const focused = document.activeElement?.closest?.("nav a")?.href;
        this.#nav.replaceChildren(next);
        if (focused) [...next.querySelectorAll("a")].find(link => link.href === focused)?.focus();
    }

    // MARK: - The connection

    /// Tells the state of the connection, in a band over everything.
    drawConnection() {
        const { link } = this.#app;
        const since = link.since ? exactClock(link.since) : "";
        const login = () => h("a", { href: location.href, target: "_blank", rel: "noreferrer" },
            say("logInAgain"), h("span", { class: "unseen" }, ` (${say("opensNewTab")})`));
        const text = {
            open: null, connecting: null, mute: say("silent", { clock: since }), silent: say("silent", { clock: since }),
            absent: link.hello ? say("silent", { clock: since }) : say("absent"), denied: say("denied"), unreachable: say("unreachable", { clock: since }),
            loggedOut: say("loggedOut"),
        }[link.state] ?? null;
        const band = text === null ? null : h("p", { class: "band wrong", role: "alert" }, text,
            link.state === "loggedOut" ? [" ", login()] : null);
        const update = this.#isUpdated ? h("p", { class: "band" }, say("updated"), " ",
            h("button", { onclick: () => location.reload() }, say("reload"))) : null;
        if (text === null && this.#isLost) this.tell(say("back"));
        this.#isLost = text !== null;
        replace(this.#band, band, update);
    }

    /// Tells that another version of claimsd answers than this page was made for.
    noteUpdate() {
        this.#isUpdated = true;
        this.drawConnection();
    }

    // MARK: - Notices

    /// Shows a notice until the next act: words by their key, with buttons { label, act }. Kinds: `done`, `news`,
    /// `wrong`.
    notify(key, values = {}, { kind = "done", buttons = [] } = {}) {
        this.#notice.className = `notice ${kind}`;
        this.#notice.hidden = false;
        this.#notice.replaceChildren(h("p", {}, phrase(key, values)),
            ...buttons.map(({ label, act }) => h("button", { onclick: act }, label)),
            h("button", { class: "plain", "aria-label": say("dismiss"), onclick: () => this.clearNotice() }, "×"));
        this.tell(say(key, values), { isUrgent: kind === "wrong" });
    }

    clearNotice() {
        if (this.#notice.contains(document.activeElement)) this.main.focus();
        this.#notice.hidden = true;
        this.#notice.replaceChildren();
    }

    /// Tells a screen reader: outcomes at once, errors before all else.
    tell(text, { isUrgent = false } = {}) {
        const region = isUrgent ? this.#assertive : this.#polite;
        region.textContent = "";
        region.textContent = text;
    }

    /// Tells news, every 5 s at most: the last one counts.
    tellNews(text) {
        const wait = Math.max(0, this.#lastNews + newsInterval - Date.now());
        clearTimeout(this.#news);
        this.#news = setTimeout(() => {
            this.#lastNews = Date.now();
            this.tell(text);
        }, wait);
    }

    /// Takes everything out of the document but the link's frame, which would load anew if it moved, and leaves a sentence.
    empty(...children) {
        clearTimeout(this.#news);
        document.title = "claimsd";
        for (const child of [...document.body.children]) if (child.tagName !== "IFRAME") child.remove();
        document.body.append(h("main", {}, h("p", {}, ...children)));
    }
}
