/** The entry point of the account pages. */
import "./style/font.css";
import "./style/tokens.css";
import "./style/base.css";
import "./style/controls.css";
import "./style/frame.css";
import "./style/actions.css";
import "./style/pages.css";
import "./style/customer.css";
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import type { Context } from "./customer/context.ts";
import { Frame } from "./customer/frame.tsx";
import { goTo, watchPlace } from "./customer/place.ts";
import { checkOwnParts } from "./customer/proof-check.ts";
import type { Profile, Session } from "@pricetime/server/answers";
import { followUser, Wire } from "./customer/client.ts";
import { deniedOf, UNAUTHORIZED } from "./pages/request.ts";
import { openNoticeBoard } from "./pages/frame.tsx";
import { followPresent, storeOf } from "./pages/browser.ts";
import { keepNumbers, keepTheme, openPreferences } from "./preferences.ts";
import { MACHINE } from "./wire/world.ts";
import { customerWords } from "./words/words.ts";

/** How often the session is requested, which also renews its secret when it is old. */
const RENEW_MS = 600_000;
/**
 * The storage key of a flag that a customer may be signed in. Scripts cannot read the session cookie, and without the
 * flag, browsers would log an error for each request without a session.
 */
const HINT = "pricetime.account.1";

const root = document.getElementById("account");
if (root === null) throw new Error("the page has no place for the account");

const store = storeOf(() => localStorage);
const preferences = openPreferences(store);
keepTheme(preferences);
keepNumbers(preferences);

function remember(isSignedIn: boolean): void {
  try {
    if (isSignedIn) store?.setItem(HINT, "1");
    else store?.removeItem(HINT);
  } catch {
    // If the storage is full or forbidden, the value lasts until the page is left.
  }
}

function mayBeSignedIn(): boolean {
  try {
    return store === null || store.getItem(HINT) !== null;
  } catch {
    return true;
  }
}

const session = signal<Session | null | undefined>(mayBeSignedIn() ? undefined : null);
const profile = signal<Profile | null>(null);
const proof = signal<Context["proof"]["value"]>(null);
const signOutReason = signal("");
const board = openNoticeBoard(MACHINE);
const done = signal(0);
const nowMs = followPresent(MACHINE);

// The page is one level below the node's URL, also behind a proxy.
const base = new URL("..", location.href).href.replace(/\/$/, "");
const wire: Wire = new Wire({ base, world: MACHINE, onUnauthenticated: () => void recheckSession() });

/** Clears the session after it has ended, or if there was none. */
function forget(why: string): void {
  if (session.peek() !== null && session.peek() !== undefined) signOutReason.value = why;
  session.value = null;
  profile.value = null;
  proof.value = null;
  remember(false);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void MACHINE.after(ms, resolve));

let isAsking = false;
/**
 * Checks whether the session has ended, after an error that may also mean a wrong password. The promise never rejects.
 */
async function recheckSession(): Promise<void> {
  if (isAsking || session.peek() === null) return;
  isAsking = true;
  try {
    session.value = await wire.account<Session>("GET", "session");
  } catch (error) {
    const isOver = deniedOf(error).status === UNAUTHORIZED;
    if (isOver || session.peek() === undefined) forget(customerWords.dismissed);
  }
  isAsking = false;
}

const context: Context = {
  ...{ wire, session, profile, proof, signOutReason, preferences, done, nowMs, ...board },
  place: watchPlace(),
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
  remember(true);
  void context.checkProof();
  const stop = followUser({ wire, world: MACHINE, onMoved: () => done.value++ });
  const renewing = setInterval(() => void recheckSession(), RENEW_MS);
  return () => {
    stop();
    clearInterval(renewing);
  };
});
effect(() => {
  void done.value;
  if (sessionId.value === "") return;
  wire.account<Profile>("GET", "profile").then(
    (answer) => {
      profile.value = answer;
    },
    (error: unknown) => board.notify("bad", deniedOf(error).message),
  );
});

if (session.peek() === undefined) void recheckSession();
render(<Frame context={context} />, root);
