// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The frame around all screens: header, band of the connection, notices, the polite and the assertive live region; and
// the login.

import { bdi, button, h, renew, setText, showDialog } from "./dom.js";
import { href } from "./router.js";
import { link as linkTo } from "./screen.js";
import { needsAttention } from "./store.js";
import { exactClock, language, line, number } from "./text.js";
import { phrase, say } from "./words.js";

const newsInterval = 5000;
const warnTime = 30_000;
const signs = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"];

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
    #list = h("ul");
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
        const [other, otherName] = language() === "pl" ? ["en", "English"] : ["pl", "Polski"];
        const skip = event => {
            event.preventDefault();
            this.main.focus();
        };
        document.body.replaceChildren(
            h("a", { class: "skip", href: href({ screen: "start" }), onclick: skip }, say("skip")),
            h("header", {}, h("nav", { "aria-label": say("collections") }, this.#list),
                h("div", { class: "person" }, this.#who, button(otherName, () => app.chooseLanguage(other), { class: "plain", lang: other }),
                    app.isInConsole ? null : button(say("logOut"), () => app.session.logOut(), { class: "plain" }))),
            this.#band, this.#notice, this.main, this.#printed, this.#polite, this.#assertive);
        addEventListener("beforeprint", () => setText(
            this.#printed, say("printed", { host: location.hostname, time: new Date().toLocaleString(language()) })));
    }

    /// Shows where one is, in the header and in the title of the document.
    locate(address, title) {
        this.#current = address;
        document.title = title ? `${title} – claimsd` : "claimsd";
        this.drawHeader();
    }

    /// Draws what differs: focus and a reader's place stay.
    drawHeader() {
        const { store, link, session } = this.#app;
        const { status } = store;
        const here = this.#current;
        const areas = { outbox: "outbox", operation: "outbox", correction: "outbox", status: "status" };
        const item = (address, name, isUrgent, total) => {
            const isHere = address.screen !== "list" || address.collection === here.collection;
            const isCurrent = isHere && address.screen === (areas[here.screen] ?? "list");
            return h("li", {}, linkTo(address, [bdi(name),
                total === undefined ? null : h("span", { class: "total", text: ` ${number(total)}` }),
                isUrgent ? h("span", { class: "urgent", role: "img", "aria-label": say("needsAttention"), text: "!" }) : null,
            ], { "aria-current": isCurrent ? "page" : null, "data-key": href(address) }));
        };
        renew(this.#list,
            (status?.collections ?? []).map(entry => item({ screen: "list", collection: entry.name },
                entry.title ?? entry.name, needsAttention(entry), Math.max(0, entry.total - (entry.archived ?? 0)))),
            status?.outbox ? item({ screen: "outbox" }, say("outbox"), status.outbox.stuck > 0) : null,
            item({ screen: "status" }, say("status"), status?.problems?.length > 0));
        setText(this.#who, session.user ? line(session.user) : link.hello ? `uid ${link.hello.you.uid}` : "");
    }

    // MARK: - The connection

    /// Tells the state of the connection, in a band over everything.
    drawConnection() {
        const { link } = this.#app;
        // A socket that was there and is gone is a daemon that starts anew.
        const key = { mute: "silent", absent: link.hello ? "silent" : "absent", open: null, connecting: null }[link.state];
        const text = key === null || link.state === "stranger" ? null
            : say(key ?? link.state, { clock: link.since ? exactClock(link.since) : "" });
        if (text === null && this.#isLost) this.tell(say("back"));
        this.#isLost = text !== null;
        renew(this.#band, text === null ? null : h("p", { class: "band wrong", role: "alert" }, text,
            link.state === "loggedOut" ? [" ", h("a", { href: location.href, target: "_blank", rel: "noreferrer" },
                say("logInAgain"), h("span", { class: "unseen" }, ` (${say("opensNewTab")})`))] : null),
        this.#isUpdated ? h("p", { class: "band" }, say("updated"), " ",
            button(say("reload"), () => location.reload())) : null);
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
            ...buttons.map(({ label, act }) => button(label, act)),
            button("×", () => this.clearNotice(), { class: "plain", "aria-label": say("dismiss") }));
        this.tell(say(key, values), { isUrgent: kind === "wrong" });
    }

    /// Shows what went wrong.
    warn(key, values) { this.notify(key, values, { kind: "wrong" }); }

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
        clearTimeout(this.#news);
        this.#news = setTimeout(() => {
            this.#lastNews = Date.now();
            this.tell(text);
        }, Math.max(0, this.#lastNews + newsInterval - Date.now()));
    }

    /// Takes everything out of the document but the link's frame, which would load anew if it moved, and leaves a sentence.
    empty(...children) {
        clearTimeout(this.#news);
        document.title = "claimsd";
        for (const child of [...document.body.children]) if (child.tagName !== "IFRAME") child.remove();
        document.body.append(h("main", {}, h("p", {}, ...children)));
    }
}

/// The login: the person's name, logging out, and Cockpit's idle timeout, which its console alone keeps.
export class Session {
    /// The name of the person who logged in; null while it is not known.
    user = null;
    #app;
    #limit = 0;
    #lastSign = Date.now();
    #timer = null;
    #warning = null;
    #asked = null;

    constructor(app) {
        this.#app = app;
        const note = () => { if (!this.#warning) this.#lastSign = Date.now(); };
        for (const sign of signs) addEventListener(sign, note, { passive: true, capture: true });
        app.link.addEventListener("state", () => { if (app.link.state === "open") this.#read(); });
    }

    /// Reads who it is, and the setting, from Cockpit.
    #read() {
        const { cockpit } = this.#app.link;
        if (!cockpit || this.#asked === cockpit) return;
        this.#asked = cockpit;
        cockpit.user().then(user => {
            this.user = user.name;
            this.#app.shell.drawHeader();
        }, () => {});
        if (this.#app.isInConsole) return;
        const bus = cockpit.dbus(null, { bus: "internal" });
        bus.call("/config", "cockpit.Config", "GetUInt", ["Session", "IdleTimeout", 0, 240, 0]).then(([minutes]) => {
            this.#limit = minutes * 60_000;
            clearInterval(this.#timer);
            if (this.#limit > 0) this.#timer = setInterval(() => this.#watch(), 1000);
        }, () => {}).finally(() => bus.close());
    }

    #watch() {
        const left = this.#lastSign + this.#limit - Date.now();
        if (left <= 0) return this.logOut();
        if (left > Math.min(warnTime, this.#limit / 2)) return undefined;
        if (!this.#warning) {
            this.#warning = h("p");
            showDialog(this.#warning, [["yes", say("stay"), { autofocus: true }]], () => {
                this.#warning = null;
                this.#lastSign = Date.now();
            });
        }
        this.#warning.textContent = say("idle", { seconds: Math.ceil(left / 1000) });
        return undefined;
    }

    /// Ends the login. No record stays in the document.
    logOut() {
        clearInterval(this.#timer);
        this.#app.end("loggedOut");
    }
}
