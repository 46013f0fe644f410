// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The login: the person's name, logging out, and Cockpit's idle timeout, which its console alone keeps.

import { h, showDialog } from "./dom.js";
import { say } from "./words.js";

const warnTime = 30_000;
const signs = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"];

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
