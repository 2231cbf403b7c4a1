/** The console, put together. */
import "./style/tokens.css";
import "./style/base.css";
import "./style/controls.css";
import "./style/console.css";
import "./style/console-pages.css";
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import type { Desk } from "./console/desk.ts";
import { Frame } from "./console/frame/frame.tsx";
import { watchPlace } from "./console/place.ts";
import { NodeAdmin } from "./console/wire/admin.ts";
import { type OpenApi, type Operation, operationsOf } from "./console/wire/document.ts";
import { keptSession, type Session } from "./console/wire/session.ts";
import { openNoticeBoard } from "./pages/notice-board.ts";
import { followPresent } from "./pages/present.ts";
import { storeOf } from "./pages/store.ts";
import { keepTheme } from "./panels/theme.ts";
import { openPreferences } from "./preferences.ts";
import { MACHINE } from "./wire/world.ts";
import { consoleSays } from "./words/words.ts";

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
const board = openNoticeBoard(MACHINE);
const nowMs = followPresent(MACHINE);

const desk: Desk = {
  admin,
  session,
  dismissed,
  place: watchPlace(),
  preferences,
  operations,
  wish: signal(null),
  ...board,
  done: signal(0),
  nowMs,
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
    (error: unknown) => board.say("bad", error instanceof Error ? error.message : String(error)),
  );
});
render(<Frame desk={desk} />, root);
