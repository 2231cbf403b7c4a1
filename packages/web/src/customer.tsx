/** The entry point of the account pages. */
import "./style/font.css";
import "./style/tokens.css";
import "./style/base.css";
import "./style/controls.css";
import "./style/data-table.css";
import "./style/frame.css";
import "./style/actions.css";
import "./style/pages.css";
import "./style/period-chart.css";
import "./style/portfolio.css";
import "./style/customer.css";
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import type { Context } from "./customer/context.ts";
import { Frame } from "./customer/frame.tsx";
import { goTo, watchPlace } from "./customer/place.ts";
import { checkOwnParts } from "./customer/proof-check.ts";
import type { Profile, Session } from "@pricetime/server/answers";
import { followUser, Wire } from "./customer/client.ts";
import { deniedOf } from "./pages/request.ts";
import { openNoticeBoard } from "./pages/frame.tsx";
import { followPresent, storeOf } from "./pages/browser.ts";
import { keepNumbers, keepTheme, oneOf, openPreferences } from "./preferences.ts";
import { marketAddress } from "./market/address.ts";
import { creditOf } from "./wire/account-stream.ts";
import { RENEW_SESSION_MS, SessionNote, UNAUTHORIZED } from "./wire/session.ts";
import { MACHINE } from "./wire/world.ts";
import { customerWords, type Language, LANGUAGES, pagesWords, preferredLanguage, showLanguage } from "./words/words.ts";

const root = document.getElementById("account");
if (root === null) throw new Error("the page has no place for the account");

const store = storeOf(() => localStorage);
const preferences = openPreferences(store);
keepTheme(preferences);

/** The language that the customer has chosen; "" if the browser's languages decide. */
const chosenLanguage = preferences.remember<Language | "">("language", "", oneOf("", ...LANGUAGES));
const language = signal(
  chosenLanguage.peek() === "" ? preferredLanguage(navigator.languages, "en") : (chosenLanguage.peek() as Language),
);
// A chosen language brings its numbers; otherwise they are those of the browser's region.
keepNumbers(preferences, () => (chosenLanguage.value === "" ? navigator.language : chosenLanguage.value));
const note = new SessionNote(store, MACHINE);
const session = signal<Session | null | undefined>(note.read() === "" ? null : undefined);
const profile = signal<Profile | null>(null);
const proof = signal<Context["proof"]["value"]>(null);
const signOutReason = signal("");
const board = openNoticeBoard(MACHINE);
const done = signal(0);
const events = signal(0);
const nowMs = followPresent(MACHINE);

// The page is one level below the node's URL, also behind a proxy.
const base = new URL("..", location.href).href.replace(/\/$/, "");
const wire: Wire = new Wire({
  ...{ base, world: MACHINE },
  sessionId: () => session.peek()?.sessionId ?? null,
  onUnauthenticated: () => void recheckSession(),
});

/** Clears the session after it has ended, or if there was none. */
function forget(why: string): void {
  if (session.peek() !== null && session.peek() !== undefined) signOutReason.value = why;
  session.value = null;
  profile.value = null;
  proof.value = null;
  note.write("");
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void MACHINE.after(ms, resolve));

let isAsking = false;
/**
 * Checks whether the session has ended, after an error that may also mean a wrong password. The promise never rejects.
 */
async function recheckSession(): Promise<void> {
  if (isAsking || session.peek() === null) return;
  await askSession();
}

/** Signs in or out as another page of this browser did. The promise never rejects. */
async function followSession(): Promise<void> {
  if (!isAsking && note.read() !== (session.peek()?.sessionId ?? "")) await askSession();
}

/** Requests the session. The promise never rejects. */
async function askSession(): Promise<void> {
  isAsking = true;
  try {
    const before = session.peek();
    const found = await wire.account<Session>("GET", "session");
    session.value = found;
    note.write(found.sessionId);
    // The pages of another customer have other data.
    if (before?.sessionId !== found.sessionId) done.value++;
  } catch (error) {
    const isOver = deniedOf(error).status === UNAUTHORIZED;
    if (isOver || session.peek() === undefined) forget(customerWords.dismissed);
  }
  isAsking = false;
}

const context: Context = {
  ...{ wire, session, profile, proof, signOutReason, preferences, done, events, nowMs, ...board },
  place: watchPlace(),
  language,
  async chooseLanguage(wanted) {
    try {
      await showLanguage(wanted);
      chosenLanguage.value = wanted;
      language.value = wanted;
    } catch (error) {
      board.notify("bad", deniedOf(error).message);
    }
  },
  async checkProof() {
    const who = session.peek();
    proof.value = null;
    if (who === null || who === undefined) return;
    const outcome = await checkOwnParts({ wire, session: who, pause });
    // Another customer may have signed in during the verification.
    if (session.peek()?.sessionId === who.sessionId) proof.value = outcome;
  },
  async enter() {
    session.value = undefined;
    await recheckSession();
    const { market } = context.place.peek().params;
    if (session.peek() !== null && market !== undefined) location.assign(marketAddress(base, market));
  },
  async leave() {
    await wire.account("POST", "sign-out", { body: {} }).catch(() => {});
    forget("");
    signOutReason.value = "";
    goTo("overview");
  },
};

// The ID of the session. Unlike `session`, it does not change when the secret is renewed, so pages do not fetch data
// again.
const sessionId = signal("");
effect(() => {
  sessionId.value = session.value?.sessionId ?? "";
});
effect(() => {
  if (sessionId.value === "") return undefined;
  void context.checkProof();
  const onEvent = (text: string): void => {
    const credit = creditOf(JSON.parse(text));
    if (credit !== null) board.notify("good", pagesWords.credited(credit));
  };
  const stop = followUser({ wire, world: MACHINE, onEvent, onMoved: () => events.value++ });
  const renewing = setInterval(() => void recheckSession(), RENEW_SESSION_MS);
  return () => {
    stop();
    clearInterval(renewing);
  };
});
effect(() => {
  void (done.value + events.value);
  if (sessionId.value === "") return;
  wire.account<Profile>("GET", "profile").then(
    (answer) => {
      profile.value = answer;
    },
    (error: unknown) => board.notify("bad", deniedOf(error).message),
  );
});

note.onChange(() => void followSession());
effect(() => {
  document.documentElement.lang = language.value;
});
// Emails come in the language of the pages.
effect(() => {
  const [known, wanted] = [profile.value, language.value];
  if (known === null || known.language === wanted) return;
  wire.account("PUT", "language", { body: { language: wanted } }).then(
    () => (profile.value = { ...known, language: wanted }),
    (error: unknown) => board.notify("bad", deniedOf(error).message),
  );
});
if (session.peek() === undefined) void askSession();
/** A key makes all components new in another language, so that none keeps a text. */
function Pages() {
  return <Frame key={language.value} context={context} />;
}
const show = (): void => render(<Pages />, root);
// The first paint waits for the texts only if they must be loaded. Without them, the pages are shown in English.
if (language.peek() === "en") show();
else
  void showLanguage(language.peek())
    .catch(() => (language.value = "en"))
    .then(show);
