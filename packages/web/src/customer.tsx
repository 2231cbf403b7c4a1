/** The entry point of the customer pages. */
import "./style/tokens.css";
import "./style/base.css";
import "./style/controls.css";
import "./style/frame.css";
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
import { keepTheme, openPreferences } from "./preferences.ts";
import { MACHINE } from "./wire/world.ts";
import { customerWords } from "./words/words.ts";

/** Requesting the session renews its secret when that is old. */
const RENEW_MS = 600_000;
/**
 * Stored while somebody may be signed in. Scripts cannot read the cookie, and browsers log a request without a session
 * as an error.
 */
const HINT = "pricetime.account.1";

const root = document.getElementById("account");
if (root === null) throw new Error("the page has no place for the account");

const store = storeOf(() => localStorage);
const preferences = openPreferences(store);
keepTheme(preferences);

function remember(isSignedIn: boolean): void {
  try {
    if (isSignedIn) store?.setItem(HINT, "1");
    else store?.removeItem(HINT);
  } catch {
    // Storage is full or forbidden, so the value lasts until the page is left.
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

// The page's path is below the node's address, also behind a proxy.
const base = new URL("..", location.href).href.replace(/\/$/, "");
const wire: Wire = new Wire({ base, world: MACHINE, onUnauthenticated: () => void recheckSession() });

/** The session has ended, or there never was one. */
function forget(why: string): void {
  if (session.peek() !== null && session.peek() !== undefined) signOutReason.value = why;
  session.value = null;
  profile.value = null;
  proof.value = null;
  remember(false);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void MACHINE.after(ms, resolve));

let isAsking = false;
/** After a rejection that may also mean a wrong password: checks whether the session has ended. Never rejects. */
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
    // Another customer may have signed in in the meantime.
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

// Pages request data again when another session begins, not when its secret is renewed.
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
