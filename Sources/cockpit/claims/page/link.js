// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The line to claimsd: Cockpit's library in a hidden frame, one channel to the socket, lines of JSON in both directions.
//
//     const link = new Link("claimsd-web/1.2.3");
//     link.addEventListener("state", () => …link.state…);
//     link.start();
//     const result = await link.request("search", { collection: "units" }, { signal });
//
// A request rejects with `Refusal` (the daemon's answer), `Lost` (no connection: ask again after the event "state" with
// the state "open") or the signal's reason.
//
// States: `connecting`; `open`; `silent` (the daemon is away), `mute` (connected, no answer for 10 s), `absent` (there is
// no socket), `denied` (the group is missing), `unreachable` (Cockpit is away), `loggedOut`, `stranger` (another person
// has logged in).

export const socketPath = "/run/claimsd/claimsd.sock";

const maxLineBytes = 16 << 20;
const maxPieceBytes = 64 << 10;
/// Over https Cockpit leaves the end of a larger message unread until more comes.
const largeBytes = 8 << 10, nudgeInterval = 30;
const firstPause = 200, maxPause = 5000;
const muteAfter = 10000;
/// A frame that neither loads nor fails.
const maxLoadTime = 15000;
const maxLogOutTime = 5000;

/// An answer of the daemon that is an error. `kind` is the contract.
export class Refusal extends Error {
    constructor(error) {
        super(String(error.message ?? ""));
        this.data = error.data ?? {};
        this.kind = this.data.kind ?? "internal";
        this.hint = this.data.hint ?? null;
    }
}

/// There is no connection, or it was lost before the answer.
export class Lost extends Error {}

/// A line of JSON as a value. A number that JavaScript would change stays text: 25 digits, `12.50`.
export function parse(text) {
    if (!/[:,[]\s*-?\d+(?:[.eE]|\d{15})/.test(text)) return JSON.parse(text);
    return JSON.parse(text, (key, value, context) =>
        typeof value === "number" && String(value) !== context.source ? context.source : value);
}

/// The UUID of an operation; over http there is no `randomUUID`.
export function newOperation() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    const digits = Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
    return [[0, 8], [8, 12], [12, 16], [16, 20], [20]].map(range => digits.slice(...range)).join("-");
}

/// Cuts bytes into lines.
class LineCutter {
    #pieces = [];
    #bytes = 0;

    /// The lines that end in these bytes; throws RangeError for one that is too long.
    *lines(bytes) {
        let start = 0;
        for (let end; (end = bytes.indexOf(10, start)) >= 0; start = end + 1) {
            this.#keep(bytes.subarray(start, end));
            const whole = this.#pieces.length === 1 ? this.#pieces[0] : this.#joined();
            this.#pieces = [];
            this.#bytes = 0;
            if (whole.length > 0) yield new TextDecoder().decode(whole);
        }
        if (start < bytes.length) this.#keep(bytes.slice(start));
    }

    #keep(piece) {
        this.#pieces.push(piece);
        this.#bytes += piece.length;
        if (this.#bytes > maxLineBytes) throw new RangeError("a line of over 16 MiB");
    }

    #joined() {
        const whole = new Uint8Array(this.#bytes);
        let at = 0;
        for (const piece of this.#pieces) {
            whole.set(piece, at);
            at += piece.length;
        }
        return whole;
    }
}

export class Link extends EventTarget {
    state = "connecting";
    /// The time at which the daemon was lost, in milliseconds; null while it answers.
    since = null;
    /// The answer of `hello`.
    hello = null;

    #client;
    #frame = null;
    #channel = null;
    #pause = firstPause;
    #timer = null;
    #lastID = 0;
    #inFlight = new Map();
    #subscriptions = new Map();
    #nudges = 0;
    #nudgeTimer = null;

    constructor(client) {
        super();
        this.#client = client;
        setInterval(() => this.#watch(), 1000);
        document.addEventListener("visibilitychange", () => { if (!document.hidden) this.retry(); });
    }

    /// Cockpit's library in the frame; null while there is none.
    get cockpit() {
        try { return this.#frame?.contentWindow?.cockpit ?? null; } catch { return null; }
    }

    start() { this.#load(); }

    /// Tries again at once.
    retry() {
        if (this.#timer === null) return;
        clearTimeout(this.#timer);
        this.#timer = null;
        this.#pause = firstPause;
        this.#again();
    }

    /// Ends the login, and then the connection: the frame stays until Cockpit has closed it.
    async logOut() {
        const closed = new Promise(resolve => {
            this.#channel?.addEventListener("close", resolve);
            setTimeout(resolve, maxLogOutTime);
        });
        this.cockpit?.logout(false);
        await closed;
        this.stop("loggedOut");
    }

    /// Ends the connection for good.
    stop(state) {
        this.#drop();
        this.#frame?.remove();
        this.#frame = null;
        clearTimeout(this.#timer);
        this.#timer = null;
        this.#enter(state);
    }

    // MARK: - Requests

    /// Asks the daemon. `progress` is called with the parameters of notifications about the request.
    request(method, params = {}, options = {}) {
        if (this.state !== "open" && this.state !== "mute") return Promise.reject(new Lost("no connection"));
        return this.#send(method, params, options);
    }

    /// Follows a feed: `heard` is called with the parameters of each event, which may come right behind the answer.
    /// Gives the answer of `subscribe`, with `end`.
    async subscribe(params, heard, { signal } = {}) {
        const channel = this.#channel;
        const waiting = [];
        let tell = event => waiting.push(event);
        const answer = await this.request("subscribe", params, {
            signal, answered: ({ subscription }) => this.#subscriptions.set(subscription, event => tell(event)),
        });
        queueMicrotask(() => {
            tell = heard;
            waiting.forEach(heard);
        });
        const end = () => {
            if (this.#channel !== channel || !this.#subscriptions.delete(answer.subscription)) return;
            this.request("unsubscribe", { subscription: answer.subscription }).catch(() => {});
        };
        return { ...answer, end };
    }

    #send(method, params, { signal, progress, answered } = {}) {
        if (signal?.aborted) return Promise.reject(signal.reason);
        const id = ++this.#lastID;
        const bytes = new TextEncoder().encode(`${JSON.stringify({ id, method, params })}\n`);
        return new Promise((resolve, reject) => {
            const isLarge = bytes.length > largeBytes;
            const entry = { resolve, reject, progress, answered, method, at: performance.now(), isLarge };
            this.#inFlight.set(id, entry);
            if (signal) {
                const abort = () => {
                    if (!this.#inFlight.has(id)) return;
                    entry.progress = null;
                    reject(signal.reason);
                    this.#send("cancel", { request: id }).catch(() => {});   // whatever it answers
                };
                signal.addEventListener("abort", abort);
                entry.settled = () => signal.removeEventListener("abort", abort);
            }
            this.#write(bytes);
            if (entry.isLarge) this.#nudge(1);
        });
    }

    #write(line) {
        if (!this.#channel) return;
        const bytes = typeof line === "string" ? new TextEncoder().encode(line) : line;
        for (let start = 0; start < bytes.length; start += maxPieceBytes) {
            this.#channel.send(bytes.slice(start, start + maxPieceBytes));
        }
    }

    /// Sends blank lines while large requests wait for their answers.
    #nudge(change) {
        this.#nudges = Math.max(0, this.#nudges + change);
        if (this.#nudges > 0) this.#nudgeTimer ??= setInterval(() => this.#write("\n"), nudgeInterval);
        else {
            clearInterval(this.#nudgeTimer);
            this.#nudgeTimer = null;
        }
    }

    #settle(id) {
        const entry = this.#inFlight.get(id);
        if (!entry) return null;
        this.#inFlight.delete(id);
        entry.settled?.();
        if (entry.isLarge) this.#nudge(-1);
        return entry;
    }

    #hear(message) {
        if (message.method === "event") return this.#subscriptions.get(message.params.subscription)?.(message.params);
        if (message.method) return this.#inFlight.get(message.params?.request)?.progress?.(message.params, message.method);
        const entry = this.#settle(message.id);
        if (this.state === "mute") this.#enter("open");
        if (!entry) return undefined;
        if (message.error) return entry.reject(new Refusal(message.error));
        entry.answered?.(message.result);
        return entry.resolve(message.result);
    }

    /// Notices a daemon that holds the connection and says nothing. What may take long is not asked for that.
    #watch() {
        if (this.state !== "open") return;
        const now = performance.now();
        for (const entry of this.#inFlight.values()) {
            if (entry.method === "status" && now - entry.at > muteAfter) {
                this.since = Date.now() - Math.round(now - entry.at);
                return this.#enter("mute");
            }
        }
    }

    // MARK: - The frame and the channel

    #enter(state) {
        if (state === "open") this.since = null;
        else if (state !== "mute") this.since ??= Date.now();
        if (this.state === state) return;
        this.state = state;
        this.dispatchEvent(new Event("state"));
    }

    /// Loads a new frame: the same one does not connect again after a login has ended.
    #load() {
        this.#frame?.remove();
        const frame = document.createElement("iframe");
        frame.hidden = true;
        frame.title = "claimsd";
        const address = new URL("../link.html", import.meta.url);
        // Later ones are not the browser's own copy: whether the server gives it says whether one is logged in.
        if (this.#frame) address.search = `?${Date.now()}`;
        this.#frame = frame;
        const loaded = () => {
            clearTimeout(deadline);
            if (this.#frame !== frame) return;
            let readable = true;
            try { readable = frame.contentDocument !== null; } catch { readable = false; }
            if (!readable) return this.#lose("unreachable", true);
            if (!this.cockpit) return this.#lose("loggedOut", true);
            return this.#open();
        };
        const deadline = setTimeout(() => { if (this.#frame === frame) this.#lose("unreachable", true); }, maxLoadTime);
        frame.addEventListener("load", loaded, { once: true });
        frame.src = address.href;
        document.body.append(frame);
    }

    #open() {
        const frame = this.#frame;
        const channel = this.cockpit.channel(
            { payload: "stream", unix: socketPath, binary: true, "flow-control": true });
        this.#channel = channel;
        const cutter = new LineCutter();
        channel.addEventListener("message", (event, bytes) => {
            if (this.#channel !== channel) return;
            try {
                for (const text of cutter.lines(new Uint8Array(bytes))) this.#hear(parse(text));
            } catch (problem) {
                console.error(problem);
                channel.close();
            }
        });
        channel.addEventListener("close", (event, options) => {
            if (this.#channel !== channel || this.#frame !== frame) return;
            this.#closed(options?.problem ?? "", String(options?.message ?? ""));
        });
        this.#send("hello", { client: this.#client, protocol: [1, 1] }).then(hello => {
            if (this.#channel === channel) this.#greeted(hello);
        }, problem => { if (!(problem instanceof Lost)) this.#refused(problem); });
    }

    #greeted(hello) {
        if (this.hello && this.hello.you.uid !== hello.you.uid) return this.stop("stranger");
        this.hello = hello;
        this.#pause = firstPause;
        return this.#enter("open");
    }

    #refused(problem) {
        console.error(problem);
        this.#lose("silent", false);
    }

    #closed(problem, text) {
        if (/permission denied/i.test(text) || problem === "access-denied") this.#lose("denied", false);
        else if (/no such file/i.test(text) || problem === "not-found") this.#lose("absent", false);
        else if (["", "refused"].includes(problem) || /refused|reset|broken pipe/i.test(text)) this.#lose("silent", false);
        else this.#lose(this.state === "loggedOut" ? "loggedOut" : "unreachable", true);
    }

    #drop() {
        const channel = this.#channel;
        this.#channel = null;
        try { channel?.close(); } catch { /* its frame is gone */ }
        this.#subscriptions.clear();
        for (const id of [...this.#inFlight.keys()]) this.#settle(id).reject(new Lost("the connection was lost"));
    }

    /// Notes the loss and tries again after a while, in a new frame if that is needed.
    #lose(state, needsFrame) {
        if (needsFrame) this.#needsFrame = true;
        this.#enter(state);
        this.#drop();
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
            this.#timer = null;
            this.#again();
        }, this.#pause);
        this.#pause = Math.min(maxPause, this.#pause * 2);
    }

    #needsFrame = false;

    #again() {
        if (this.#needsFrame || !this.cockpit) {
            this.#needsFrame = false;
            this.#load();
        } else this.#open();
    }
}
