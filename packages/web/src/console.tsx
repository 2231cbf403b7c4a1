/** The console, put together. */
import "./style/tokens.css";
import "./style/base.css";
import "./style/controls.css";
import "./style/console.css";
import "./style/console-pages.css";
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import type { Desk, Notice } from "./console/desk.ts";
import { Frame } from "./console/frame/frame.tsx";
import { watchPlace } from "./console/place.ts";
import { NodeAdmin } from "./console/wire/admin.ts";
import { type OpenApi, type Operation, operationsOf } from "./console/wire/document.ts";
import { keptSession, type Session } from "./console/wire/session.ts";
import { keepTheme } from "./panels/theme.ts";
import { openPreferences } from "./preferences.ts";
import { MACHINE } from "./wire/world.ts";
import { consoleSays } from "./words/words.ts";

/** Null: the browser forbids it, and what would be kept lasts until the page is left. */
function storeOf(open: () => Storage): Storage | null {
  try {
    return open();
  } catch {
    return null;
  }
}

const TICK_MS = 1_000;
const GOOD_NEWS_MS = 6_000;
const MOST_NOTICES = 5;

const root = document.getElementById("console");
if (root === null) throw new Error("the page has no place for the console");

const preferences = openPreferences(storeOf(() => localStorage));
keepTheme(preferences);

// The node is where the page came from, whatever stands between them.
const base = new URL(".", location.href).href.replace(/\/$/, "");
const session = keptSession(storeOf(() => sessionStorage));
const dismissed = signal("");
const adminAs = (who: () => Session | null, onStranger: () => void): NodeAdmin =>
  new NodeAdmin({ base, world: MACHINE, session: who, onStranger });
const admin = adminAs(
  () => session.value,
  () => {
    if (session.value !== null) dismissed.value = consoleSays.dismissed;
    session.value = null;
  },
);
const operations = signal<ReadonlyMap<string, Operation>>(new Map());
const notices = signal<readonly Notice[]>([]);
const nowMs = signal(MACHINE.nowMs());
setInterval(() => {
  nowMs.value = MACHINE.nowMs();
}, TICK_MS);

let lastNotice = 0;
function say(tone: Notice["tone"], text: string): void {
  const id = ++lastNotice;
  const drop = (): void => {
    notices.value = notices.value.filter((one) => one.id !== id);
  };
  notices.value = [...notices.value, { id, tone, text }].slice(-MOST_NOTICES);
  if (tone === "good") MACHINE.after(GOOD_NEWS_MS, drop);
}

const desk: Desk = {
  admin,
  session,
  dismissed,
  place: watchPlace(),
  preferences,
  operations,
  wish: signal(null),
  notices,
  done: signal(0),
  nowMs,
  say,
  async signIn(wanted) {
    const asWanted = adminAs(
      () => wanted,
      () => {},
    );
    await asWanted.ask("GET", "/v1/maintenance");
    session.value = wanted;
  },
};

// What the node can do is fetched whenever somebody signs in: it may be another version by then.
effect(() => {
  if (session.value === null) return;
  admin.ask<OpenApi>("GET", "/openapi.json").then(
    (document) => {
      operations.value = operationsOf(document);
    },
    (error: unknown) => say("bad", error instanceof Error ? error.message : String(error)),
  );
});
render(<Frame desk={desk} />, root);
