// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// Loads the version that is installed. Browsers keep this file for a day, so it never changes; version.json they ask for
// each time.

const version = new URL("version.json", import.meta.url);
const polish = (navigator.languages ?? [navigator.language]).find(name => /^(en|pl)\b/i.test(name))?.startsWith("pl");

function say(english, other, ...rest) {
    document.documentElement.lang = polish ? "pl" : "en";
    const text = document.createElement("p");
    text.textContent = polish ? other : english;
    document.body.replaceChildren(text, ...rest);
}

// A browser that does not keep the source text of numbers would change some of them.
function isNewEnough() {
    let kept;
    JSON.parse("1.0", (key, value, context) => { kept = context?.source; return value; });
    return kept === "1.0" && typeof AbortSignal.any === "function";
}

async function load() {
    const answer = await fetch(version, { cache: "no-store" });
    if (!answer.ok) throw answer;
    const { version: folder, modules, styles } = await answer.json();
    const address = name => new URL(`${encodeURIComponent(folder)}/${encodeURIComponent(name)}`, import.meta.url).href;
    const add = (rel, name) => {
        const link = document.createElement("link");
        link.rel = rel;
        link.href = address(name);
        document.head.append(link);
        return link;
    };
    const styled = styles.map(name => new Promise(resolve => {
        const link = add("stylesheet", name);
        link.onload = link.onerror = resolve;
    }));
    for (const name of modules) add("modulepreload", name);
    const [main] = await Promise.all([import(address("main.js")).catch(offerLogin), ...styled]);
    main?.begin(folder);
}

// A bridge of Cockpit serves the files that were there when it began: those of a newer version need a new login.
function offerLogin(problem) {
    console.error(problem);
    const button = document.createElement("button");
    button.textContent = polish ? "Zaloguj się ponownie" : "Log in again";
    button.onclick = () => {
        const frame = document.createElement("iframe");
        frame.hidden = true;
        frame.src = new URL("link.html", import.meta.url).href;
        frame.onload = async () => {
            frame.contentWindow.cockpit?.logout(false);
            for (let tries = 0; tries < 40 && (await fetch(version, { cache: "no-store" })).ok; tries++) {
                await new Promise(resolve => setTimeout(resolve, 250));
            }
            await fetch(location.href, { cache: "reload" });
            location.reload();
        };
        document.body.append(frame);
    };
    say("claimsd was updated. The new page comes with your next login.",
        "claimsd zaktualizowano. Nowa strona pojawi się po ponownym zalogowaniu.", button);
}

// The browser may have kept this page from a login that has ended: the server's own answer is the page to log in.
async function askAgain(problem) {
    console.error(problem);
    if (problem instanceof Response) {
        const page = await fetch(location.href, { cache: "reload" });
        if (!(await page.text()).includes("start.js")) return location.reload();
    }
    return say("The page could not be loaded. Reload it, or log in again.",
        "Nie udało się wczytać strony. Odśwież ją albo zaloguj się ponownie.");
}

if (isNewEnough()) load().catch(askAgain).catch(console.error);
else say("This page needs a newer browser: Chromium 114, Firefox ESR 140 or later.",
    "Ta strona wymaga nowszej przeglądarki: Chromium 114, Firefox ESR 140 lub nowszych.");
