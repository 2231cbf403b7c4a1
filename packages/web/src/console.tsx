/** The entry point of the operators' console. */
import "./style/font.css";
import "./style/tokens.css";
import "./style/base.css";
import "./style/controls.css";
import "./style/data-table.css";
import "./style/frame.css";
import "./style/actions.css";
import "./style/pages.css";
import "./style/console.css";
import "./style/period-chart.css";
import "./style/dashboard.css";
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import type { Context, LastOperator } from "./console/context.ts";
import { Frame } from "./console/frame/frame.tsx";
import { watchInvitation, watchPlace } from "./console/place.ts";
import type { Me, OperatorSession } from "@pricetime/server/answers";
import { storedSession, NodeAdmin, type Session } from "./console/admin-client.ts";
import { type OpenApi, type Operation, operationsOf } from "./console/openapi.ts";
import { openTableChoices, rememberFilters } from "./console/table-choices.ts";
import { openNoticeBoard } from "./pages/frame.tsx";
import { followPresent, storeOf } from "./pages/browser.ts";
import { keepNumbers, keepTheme, openPreferences } from "./preferences.ts";
import { MACHINE } from "./wire/world.ts";
import { consoleWords } from "./words/words.ts";

const NO_OPERATOR: LastOperator = { name: "", mark: "" };
const MOST_MARK_CHARACTERS = 256;

function isLastOperator(stored: unknown): stored is LastOperator {
  if (typeof stored !== "object" || stored === null) return false;
  const texts = [Reflect.get(stored, "name"), Reflect.get(stored, "mark")] as readonly unknown[];
  return texts.every((text) => typeof text === "string" && text.length <= MOST_MARK_CHARACTERS);
}

const root = document.getElementById("console");
if (root === null) throw new Error("the page has no place for the console");

const preferences = openPreferences(storeOf(() => localStorage));
keepTheme(preferences);
keepNumbers(preferences);

// The node's URL is the folder of the page's URL, also behind a proxy.
const base = new URL(".", location.href).href.replace(/\/$/, "");
const session = storedSession(storeOf(() => sessionStorage));
const signOutReason = signal("");
const adminAs = (who: () => Session | null, onUnauthenticated: () => void): NodeAdmin =>
  new NodeAdmin({ base, world: MACHINE, session: who, onUnauthenticated });
const admin = adminAs(
  () => session.value,
  () => {
    if (session.value !== null) signOutReason.value = consoleWords.dismissed;
    session.value = null;
  },
);
const anonymous = adminAs(
  () => null,
  () => {},
);
const lastOperator = preferences.remember("consoleOperator", NO_OPERATOR, isLastOperator);
const me = signal<Me | null>(null);
const operations = signal<ReadonlyMap<string, Operation>>(new Map());
const board = openNoticeBoard(MACHINE);
const nowMs = followPresent(MACHINE);

const context: Context = {
  admin,
  session,
  me,
  lastOperator,
  signOutReason,
  place: watchPlace(),
  invitation: watchInvitation(),
  preferences,
  tables: openTableChoices(preferences),
  operations,
  openForm: signal(null),
  approvalRules: signal(null),
  ...board,
  done: signal(0),
  nowMs,
  async signIn(wanted) {
    const asRequested = adminAs(
      () => wanted,
      () => {},
    );
    me.value = await asRequested.ask<Me>("GET", "/v1/me");
    session.value = wanted;
  },
  async signInByName(wanted) {
    const { name: last, mark: shown } = lastOperator.value;
    const body = { ...wanted, ...(shown !== "" && last === wanted.name && { mark: shown }) };
    const { token, name, mark } = await anonymous.ask<OperatorSession>("POST", "/v1/sign-in", { body });
    lastOperator.value = { name, mark };
    await context.signIn({ token, operator: name, isNamed: true });
  },
  async signOut() {
    if (session.value?.isNamed === true) {
      // If the request fails, the session expires later. The tab forgets the session in any case.
      await admin.ask("POST", "/v1/sign-out").catch(() => {});
    }
    session.value = null;
    context.openForm.value = null;
  },
};

const notifyFailure = (error: unknown): void =>
  board.notify("bad", error instanceof Error ? error.message : String(error));
// The operations are fetched after each sign-in, because the node may have been upgraded.
effect(() => {
  if (session.value === null) {
    me.value = null;
    return;
  }
  admin.ask<OpenApi>("GET", "/openapi.json").then((document) => {
    operations.value = operationsOf(document);
  }, notifyFailure);
});
rememberFilters(context);
render(<Frame context={context} />, root);
