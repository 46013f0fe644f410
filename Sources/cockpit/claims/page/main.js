// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The page: makes the parts, and shows the screen of the address.

import { Acts } from "./acts.js";
import { DealScreen, DetailScreen } from "./detail.js";
import { h, showDialog } from "./dom.js";
import { FormScreen } from "./form.js";
import { Link } from "./link.js";
import { ListScreen, pageSizes } from "./list.js";
import { OperationScreen, OutboxScreen } from "./outbox.js";
import { Router } from "./router.js";
import { link } from "./screen.js";
import { Session, Shell } from "./shell.js";
import { StatusScreen } from "./status.js";
import { Store } from "./store.js";
import { setLanguage } from "./text.js";
import { phrase, say } from "./words.js";

/// The screen of each kind of address.
const screens = {
    list: ListScreen, detail: DetailScreen, form: FormScreen, correction: FormScreen, outbox: OutboxScreen,
    operation: OperationScreen, status: StatusScreen, deal: DealScreen,
};

const storageKey = "claimsd";
const defaultPageSize = 50;

/// Begins; `version` is that of these files.
export function begin(version) { new App(version).begin(); }

class App {
    link;
    store;
    router;
    shell;
    acts;
    session;
    /// The list that was shown last: { query, params }, for the records before and after one of it.
    listed = null;
    #version;
    #screen = null;
    #address = null;
    #isEnded = false;
    #settings = readSettings();

    constructor(version) {
        this.#version = version;
        setLanguage(this.#settings.language ?? browserLanguage());
        this.link = new Link(`claimsd-web/${version}`);
        this.store = new Store(this.link);
        this.acts = new Acts(this);
        this.shell = new Shell(this);
        this.session = new Session(this);
        this.router = new Router({
            show: (address, how) => this.#show(address, how),
            leave: () => this.#screen?.leave?.() ?? true,
            place: () => this.#screen?.place?.() ?? { scroll: scrollY },
        });
    }

    /// Whether the page is shown within Cockpit's console.
    get isInConsole() { return window.parent !== window; }
    get pageSize() { return this.#settings.pageSize ?? defaultPageSize; }

    begin() {
        const host = location.pathname.match(/\/cockpit\/@([^/]+)\//)?.[1];
        if (host && host !== "localhost") {
            return this.shell.empty(phrase("otherHost", { host: decodeURIComponent(host) }));
        }
        this.link.addEventListener("state", () => this.#linkChanged());
        this.store.addEventListener("status", () => this.#statusArrived());
        document.addEventListener("click", event => this.#clicked(event));
        // From the back/forward cache no record comes back: another person may have logged in since.
        addEventListener("pagehide", event => { if (event.persisted) this.end("away"); });
        addEventListener("pageshow", event => { if (event.persisted) location.reload(); });
        addEventListener("beforeunload", event => { if (this.#screen?.hasInput) event.preventDefault(); });
        this.link.start();
        return this.router.begin();
    }

    /// Takes everything out of the document, and ends the connection.
    end(reason) {
        if (this.#isEnded) return;
        this.#isEnded = true;
        this.#screen?.unmount();
        this.#screen = null;
        this.store.stop();
        this.router.forget();
        const again = event => {
            event.preventDefault();
            // Not the browser's own copy of the page: the server's answer is the page to log in.
            fetch(location.href, { cache: "reload" }).finally(() => location.reload());
        };
        this.shell.empty(...reason === "loggedOut" ? [say("loggedOut"), " ",
            h("a", { href: location.href.split("#")[0], onclick: again }, say("logInAgain"))] : []);
        if (reason === "loggedOut") this.link.logOut();
        else this.link.stop(reason);
    }

    chooseLanguage(language) {
        this.#keep({ language });
        location.reload();
    }

    choosePageSize(pageSize) { this.#keep({ pageSize }); }

    #keep(change) {
        Object.assign(this.#settings, change);
        try { localStorage.setItem(storageKey, JSON.stringify(this.#settings)); } catch { /* it holds for this page alone */ }
    }

    /// Asks a question; `label` is the word of the button that says yes.
    ask(key, values, label) {
        return new Promise(resolve => showDialog(h("p", {}, phrase(key, values)),
            [["no", say("cancel"), { autofocus: true }], ["yes", label, { class: "main" }]],
            value => resolve(value === "yes")));
    }

    #linkChanged() {
        const { state } = this.link;
        if (state === "stranger") {
            this.end("stranger");
            return location.reload();
        }
        this.shell.drawConnection();
        if (state !== "open") return undefined;
        if (this.link.hello.server.version !== this.#version) this.shell.noteUpdate();
        this.shell.drawHeader();
        return this.#screen?.connected?.();
    }

    #statusArrived() {
        this.shell.drawHeader();
        if (this.#address?.screen === "start") this.#begin();
        this.#screen?.status?.();
    }

    /// Without a collection in the address: the first one that has data, else the first one.
    #begin() {
        const { status } = this.store;
        if (!status) return;
        const first = status.collections.find(entry => entry.total > 0) ?? status.collections[0];
        if (first) this.router.go({ screen: "list", collection: first.name, query: {} }, { replace: true });
        else this.shell.main.replaceChildren(h("p", { class: "empty" }, say("noCollections")));
    }

    #show(address, { place = null, isReplaced = false }) {
        if (this.#isEnded) return undefined;
        const old = this.#address;
        this.#address = address;
        this.shell.clearNotice();
        if (address.screen === "start") {
            this.#drop();
            this.shell.main.replaceChildren(h("p", { class: "empty" }, say("connecting")));
            return this.#begin();
        }
        if (old?.screen === address.screen && this.#screen?.update?.(address, place)) {
            return this.shell.locate(address, this.shell.main.querySelector("h1")?.textContent);
        }
        const hadFocus = document.activeElement !== document.body || !isReplaced;
        this.#drop();
        const { main } = this.shell;
        let target;
        if (screens[address.screen]) {
            this.#screen = new screens[address.screen](this);
            target = this.#screen.mount(main, address, place);
        } else {
            target = h("h1", { tabindex: "-1" }, say("unknownAddress"));
            main.replaceChildren(target, h("p", {}, link({ screen: "start" }, say("toStart"))));
        }
        this.shell.locate(address, main.querySelector("h1")?.textContent);
        if (!place) scrollTo(0, 0);
        if (old && hadFocus) target?.focus({ preventScroll: true });
        return undefined;
    }

    #drop() {
        this.#screen?.unmount();
        this.#screen = null;
        this.shell.main.replaceChildren();
    }

    /// Links of the page go by the router, so that it knows where one was.
    #clicked(event) {
        const clicked = event.target.closest?.("a[href]");
        const isOther = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
        if (!clicked || event.defaultPrevented || isOther || clicked.target) return;
        const [page, fragment] = clicked.href.split("#");
        if (page !== location.href.split("#")[0] || !fragment?.startsWith("/")) return;
        event.preventDefault();
        this.router.follow(`#${fragment}`);
    }
}

function readSettings() {
    try {
        const { language, pageSize } = JSON.parse(localStorage.getItem(storageKey)) ?? {};
        return {
            ...(language === "pl" || language === "en" ? { language } : {}),
            ...(pageSizes.includes(pageSize) ? { pageSize } : {}),
        };
    } catch { return {}; }
}

function browserLanguage() {
    return (navigator.languages ?? [navigator.language]).map(name => name.slice(0, 2).toLowerCase())
        .find(name => name === "pl" || name === "en") ?? "en";
}
