// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// A list stays live: a subscription to its query, which tells changes of the page that is shown.
//
// Half a second after a query rests, it subscribes from the clock of the answer, so that nothing between is missed; where
// a bare clock is not enough (filters that depend on time, limited peers), from now, and the page is asked for once more.
// After a lost connection, and after a tab was hidden for long, it goes on from its clock. The listener has: compare() —
// ask once more; heard(entries, meta); noteState(meta, change); rebuilt() — the whole set is another one; renew() — the
// feed has ended, maybe by another definition; noteLive(reason) — null: live, else why not ("" unknown).

import { Lost, Refusal } from "./link.js";

const restTime = 500;
const hiddenTime = 60_000;
const retryTime = 5000;

export class Feed {
    #app;
    #listener;
    #params = null;
    #clock = null;
    #isBare = false;
    #number = 0;
    #subscription = null;
    #timer = null;
    #hiddenTimer = null;
    #isPaused = false;
    #off = new AbortController();

    constructor(app, listener) {
        this.#app = app;
        this.#listener = listener;
        app.link.addEventListener("state", () => this.#linkChanged(), this.#off);
        document.addEventListener("visibilitychange", () => this.#visibilityChanged(), this.#off);
    }

    /// Follows a query from half a second on, unless another one comes.
    follow(params, clock) {
        this.#end();
        this.#params = params;
        this.#clock = clock;
        this.#isBare = true;
        this.#later(restTime);
    }

    /// Follows nothing any more.
    stop() {
        this.#end();
        this.#params = null;
    }

    /// Ends for good.
    close() {
        this.stop();
        clearTimeout(this.#hiddenTimer);
        this.#off.abort();
    }

    #later(time) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#subscribe(), time);
    }

    #end() {
        clearTimeout(this.#timer);
        this.#number++;
        this.#subscription?.end();
        this.#subscription = null;
    }

    async #subscribe() {
        if (!this.#params || this.#isPaused || this.#app.link.state !== "open") return;
        this.#end();
        const number = this.#number;
        const isCurrent = () => number === this.#number;
        const since = this.#clock;
        const params = since ? { ...this.#params, since } : this.#params;
        try {
            const subscription = await this.#app.store.subscribe(params, event => { if (isCurrent()) this.#heard(event); });
            if (!isCurrent()) return subscription.end();
            this.#subscription = subscription;
            if (subscription.clock) this.#noteClock(subscription.clock);
            this.#listener.noteLive(null);
            if (!since) this.#listener.compare();
        } catch (problem) {
            if (!isCurrent() || problem instanceof Lost) return undefined;
            if (!(problem instanceof Refusal)) throw problem;
            if (problem.kind === "bad_cursor") return this.#rebuild();
            this.#listener.noteLive(problem.message);
            if (problem.kind === "busy") this.#later(retryTime);
            else this.#listener.renew();
        }
        return undefined;
    }

    #noteClock(clock) {
        this.#clock = clock;
        this.#isBare = false;
    }

    #heard(event) {
        if (event.clock) this.#noteClock(event.clock);
        switch (event.type) {
        case "changes": return this.#listener.heard(event.changes, event.meta ?? null);
        case "synced":
        case "heartbeat": return this.#listener.noteState(event.meta, null);
        case "state": return this.#listener.noteState(event.meta, event.change);
        case "fresh_instance": return this.#rebuild(event.reason);
        case "lagged": return this.#later(0);
        case "ended":
            this.#end();
            this.#listener.noteLive(event.error?.message ?? "");
            return this.#listener.renew();
        default: return undefined;
        }
    }

    /// The set that follows is not read: the list asks for its page when the person wants it.
    #rebuild(reason) {
        if (this.#isBare && reason === "filter") {
            this.#clock = null;
            return this.#later(0);
        }
        this.stop();
        return this.#listener.rebuilt();
    }

    #linkChanged() {
        if (this.#app.link.state === "open") {
            if (this.#params && !this.#subscription) this.#later(0);
        } else if (this.#app.link.state !== "mute") {
            this.#number++;
            this.#subscription = null;
        }
    }

    #visibilityChanged() {
        clearTimeout(this.#hiddenTimer);
        if (document.hidden) {
            this.#hiddenTimer = setTimeout(() => {
                this.#isPaused = true;
                this.#end();
            }, hiddenTime);
        } else if (this.#isPaused) {
            this.#isPaused = false;
            this.#later(0);
        }
    }
}
