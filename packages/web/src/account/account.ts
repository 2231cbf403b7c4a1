/**
 * The terminal's account: the actions that panels carry out, with the session of the account pages or with an API key.
 * Keys are stored only in the tab's session storage; a tab with a key uses it, not the session.
 */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Account as AccountRecord } from "@pricetime/protocol";
import type { Portfolio, Session as SessionRecord } from "@pricetime/server/answers";
import type { Freshness, Market } from "../market/port.ts";
import { ACCOUNT } from "../words/words.ts";
import { untilDone } from "../wire/pacing.ts";
import { type Access, Refused, refusalOf, type Rest, signingKey } from "../wire/rest.ts";
import { RENEW_SESSION_MS, type SessionNote, UNAUTHORIZED } from "../wire/session.ts";
import type { Streams } from "../wire/streams.ts";
import type { World } from "../wire/world.ts";
import { placeOco, placeOto } from "./placing-lists.ts";
import { cancel, cancelAll, cancelList, move, place, reduce } from "./trading.ts";
import { SignedIn } from "./signed-in.ts";
import { Notices, type TradingParts } from "./trading-parts.ts";
import type {
  Balance,
  DemoAccount,
  Fill,
  Notice,
  OcoDraft,
  OrderDraft,
  OrderRow,
  OtoDraft,
  Pages,
  Refusal,
  Session,
} from "./port.ts";

// Stores the API key and secret of the signed-in account in the tab's session storage. Other tabs cannot read them, and
// closing the tab deletes them.

export interface StoredKeys {
  readonly apiKey: string;
  readonly secretKey: string;
  readonly label: string;
}

/** `sessionStorage`, or null if the browser forbids it. */
export type TabStore = Pick<Storage, "getItem" | "setItem" | "removeItem"> | null;

const STORE_KEY = "pricetime.session";
const KEYS_VERSION = 1;

function storedKeys(store: TabStore): StoredKeys | null {
  try {
    const stored = JSON.parse(store?.getItem(STORE_KEY) ?? "null") as
      | (Partial<StoredKeys> & { version?: number })
      | null;
    const { version, apiKey, secretKey, label } = stored ?? {};
    if (version !== KEYS_VERSION) return null;
    if (typeof apiKey !== "string" || typeof secretKey !== "string" || typeof label !== "string") return null;
    return { apiKey, secretKey, label };
  } catch {
    // Stored values of another format are ignored.
    return null;
  }
}

function storeKeys(store: TabStore, keys: StoredKeys | null): void {
  try {
    if (keys === null) store?.removeItem(STORE_KEY);
    else store?.setItem(STORE_KEY, JSON.stringify({ version: KEYS_VERSION, ...keys }));
  } catch {
    // If the storage is full or forbidden, the session lasts only until the page is left.
  }
}

/** Shortens `alice@demo.pricetime` to `alice`. */
export const shortName = (name: string): string => name.replace(/@.*$/, "");

// The account of the terminal.

export interface AccountParts {
  readonly rest: Rest;
  readonly streams: Streams;
  readonly world: World;
  readonly market: ReadonlySignal<Market | null>;
  /** Stores the keys until the tab is closed. */
  readonly store: TabStore;
  readonly note: SessionNote;
}

interface Facts {
  readonly accounts?: readonly DemoAccount[];
  readonly lab?: object;
}

/** The number of characters of the API key that are shown as the account's name. */
const LABEL_LETTERS = 8;

export class Account {
  readonly #parts: AccountParts;
  readonly #signedIn = signal<SignedIn | null>(null);
  readonly #demoAccounts = signal<readonly DemoAccount[]>([]);
  /** The demo accounts. Empty unless the node is a demo on a loopback address. */
  readonly demoAccounts: ReadonlySignal<readonly DemoAccount[]> = this.#demoAccounts;
  readonly #notices: Notices;
  readonly #ends: readonly (() => void)[];
  #isLab = false;
  #cancelAsking = (): void => {};
  #cancelRenewing = (): void => {};
  readonly session = computed<Session | null>(() => {
    const signedIn = this.#signedIn.value;
    return signedIn === null ? null : { label: signedIn.label, isByKey: signedIn.access.kind === "key" };
  });
  readonly freshness = computed<Freshness>(() => this.#signedIn.value?.freshness.value ?? "loading");
  readonly balances = computed<ReadonlyMap<string, Balance>>(
    () => this.#signedIn.value?.balances.shown.value ?? new Map(),
  );
  /** Maker and taker commission rates as fractions of 1, from `GET /api/v3/account`; null until they are known. */
  readonly commission = computed(() => this.#signedIn.value?.balances.commission.value ?? null);
  /**
   * Orders on all markets: open orders, orders being sent, and orders whose outcome is unknown.
   */
  readonly orders = computed<readonly OrderRow[]>(() => this.#signedIn.value?.orders.rows.value ?? []);
  /** The latest fills, from the stream and from requests for the selected market: newest first, at most 1,000. */
  readonly fills = computed<readonly Fill[]>(() => this.#signedIn.value?.fills.shown.value ?? []);

  constructor(parts: AccountParts) {
    this.#parts = parts;
    this.#notices = new Notices(parts.world);
    this.#ends = [
      parts.streams.state.subscribe(({ state }) => {
        if (state === "live" && this.#demoAccounts.peek().length === 0) void this.#readDemo();
      }),
      parts.note.onChange(() => this.#followSession()),
    ];
    const stored = storedKeys(parts.store);
    // After a reload the user stays signed in, unless the node rejects the key.
    if (stored === null) this.#followSession();
    else void this.#openByKey(stored, null).catch(() => this.#forgetKeys());
  }

  get notices(): ReadonlySignal<readonly Notice[]> {
    return this.#notices.lines;
  }

  /** Adds a notice. */
  notify(tone: Notice["tone"], text: string): void {
    this.#notices.notify(tone, text);
  }

  /** Signs in with an API key. Rejects with a `Refusal` if the node rejects the key. */
  async signIn(apiKey: string, secretKey: string, label = apiKey.slice(0, LABEL_LETTERS)): Promise<void> {
    const key = await signingKey(apiKey, secretKey);
    const account = await this.#parts.rest.authorized<AccountRecord>("GET", "/api/v3/account", key);
    await this.#openByKey({ apiKey, secretKey, label }, account);
    storeKeys(this.#parts.store, { apiKey, secretKey, label });
  }

  /**
   * Signs in to a demo account on all pages of the node. Uses its API key instead in a lab, whose checkpoints have no
   * session, and in a browser that does not store the session's cookie. Rejects with a `Refusal`.
   */
  async signInToDemo({ name, email, password, apiKey, secretKey }: DemoAccount): Promise<void> {
    const label = shortName(name);
    if (this.#isLab || !this.#parts.note.isAllowed) return this.signIn(apiKey, secretKey, label);
    await this.#parts.rest.account("POST", "sign-in", null, { email, password });
    storeKeys(this.#parts.store, null);
    const session = await this.#askSession();
    if (session === null) return this.signIn(apiKey, secretKey, label);
    this.#openBySession(session);
  }

  /** Ends the session on all pages of this browser, or forgets the API key of this tab. The promise never rejects. */
  async signOut(): Promise<void> {
    const access = this.#signedIn.peek()?.access;
    if (access?.kind !== "session") return this.#forgetKeys();
    const { rest, note } = this.#parts;
    this.#close();
    await rest.account("POST", "sign-out", access.sessionId, {}).then(
      () => note.write(""),
      (error: unknown) => {
        // The session may still be open, which the user must see.
        if (refusalOf(error).status === UNAUTHORIZED) return note.write("");
        this.#notices.notify("bad", ACCOUNT.notSignedOut(refusalOf(error).message));
        this.#followSession();
      },
    );
  }

  /**
   * Places an order. Resolves to null if the node accepted it, otherwise to the reason, which the caller shows. Never
   * rejects.
   */
  place(draft: OrderDraft): Promise<Refusal | null> {
    return this.#trade((parts) => place(parts, draft), SIGNED_OUT);
  }

  placeOco(draft: OcoDraft): Promise<Refusal | null> {
    return this.#trade((parts) => placeOco(parts, draft), SIGNED_OUT);
  }

  placeOto(draft: OtoDraft): Promise<Refusal | null> {
    return this.#trade((parts) => placeOto(parts, draft), SIGNED_OUT);
  }

  /**
   * Cancels an order. Like all actions below, resolves to true if the node accepted the request and never rejects:
   * `orders` and `notices` show the outcome.
   */
  cancel(order: OrderRow): Promise<boolean> {
    return this.#change((parts) => cancel(parts, order));
  }

  cancelList(symbol: string, orderListId: number): Promise<boolean> {
    return this.#change((parts) => cancelList(parts, symbol, orderListId));
  }

  /** Cancels all open orders of a market, or of all markets if `symbol` is null. */
  cancelAll(symbol: string | null): Promise<boolean> {
    return this.#change((parts) => cancelAll(parts, symbol));
  }

  /**
   * Cancels an order (or the whole list it belongs to) and places it again at the new price or stop price. If placing it
   * fails, a notice says that the order was canceled and why.
   */
  move(order: OrderRow, to: { readonly price?: string; readonly stopPrice?: string }): Promise<boolean> {
    return this.#change((parts) => move(parts, order, to));
  }

  /** Reduces the quantity of an order, which keeps its place in the queue. */
  reduce(order: OrderRow, quantity: string): Promise<boolean> {
    return this.#change((parts) => reduce(parts, order, quantity));
  }

  orderHistory(symbol: string): Pages<OrderRow> {
    return this.#signedIn.peek()?.histories.orders(symbol) ?? NO_PAGES;
  }

  tradeHistory(symbol: string): Pages<Fill> {
    return this.#signedIn.peek()?.histories.fills(symbol) ?? NO_PAGES;
  }

  /** The portfolio, and its value for this many days. Rejects with `Refused`, also for an API key. */
  async portfolio(days: string): Promise<Portfolio> {
    const access = this.#signedIn.peek()?.access;
    if (access?.kind !== "session") throw new Refused(ACCOUNT.signedOut, { code: null, isUnknown: false });
    return this.#parts.rest.account<Portfolio>("GET", `portfolio?days=${days}`, access.sessionId);
  }

  close(): void {
    for (const end of this.#ends) end();
    this.#stopSession();
    this.#signedIn.peek()?.close();
  }

  #close(): void {
    this.#stopSession();
    this.#signedIn.peek()?.close();
    this.#signedIn.value = null;
  }

  #forgetKeys(): void {
    storeKeys(this.#parts.store, null);
    this.#close();
    this.#followSession();
  }

  async #openByKey({ apiKey, secretKey, label }: StoredKeys, first: AccountRecord | null): Promise<void> {
    const key = await signingKey(apiKey, secretKey);
    this.#stopSession();
    this.#open(key, label, first, (why) => {
      this.#notices.notify("bad", ACCOUNT.dismissed(why));
      this.#forgetKeys();
    });
  }

  /** `denied` is called when the node no longer accepts the credentials, while they are used. */
  #open(access: Access, label: string, first: AccountRecord | null, denied: (why: string) => void): void {
    const { rest, streams, world, market } = this.#parts;
    this.#signedIn.peek()?.close();
    const signedIn: SignedIn = new SignedIn(
      {
        ...{ rest, streams, world, market, access, label, notices: this.#notices },
        onAccessDenied: (why) => {
          if (this.#signedIn.peek() === signedIn) denied(why);
        },
      },
      first,
    );
    this.#signedIn.value = signedIn;
  }

  // The session of the account pages.

  /** Signs in or out as the other pages of this browser did, unless the tab has an API key. */
  #followSession(): void {
    const access = this.#signedIn.peek()?.access;
    if (access?.kind === "key") return;
    if (this.#parts.note.read() !== (access?.sessionId ?? "")) this.#checkSession();
  }

  /** Requests the session until the node responds, and signs in or out accordingly. */
  #checkSession(): void {
    const { world } = this.#parts;
    this.#stopSession();
    this.#cancelAsking = untilDone(world, async (isWanted) => {
      const session = await this.#askSession();
      if (isWanted()) this.#adoptSession(session);
    });
  }

  #stopSession(): void {
    this.#cancelAsking();
    this.#cancelRenewing();
  }

  /** Returns the session; null if there is none. */
  async #askSession(): Promise<SessionRecord | null> {
    try {
      return await this.#parts.rest.account<SessionRecord>("GET", "session", null);
    } catch (error) {
      if (refusalOf(error).status === UNAUTHORIZED) return null;
      throw error;
    }
  }

  #adoptSession(session: SessionRecord | null): void {
    if (session !== null) return this.#openBySession(session);
    this.#parts.note.write("");
    if (this.#signedIn.peek() === null) return;
    this.#close();
    this.#notices.notify("plain", ACCOUNT.sessionEnded);
  }

  #openBySession({ sessionId, name, email }: SessionRecord): void {
    const { note, world } = this.#parts;
    this.#stopSession();
    note.write(sessionId);
    const access = this.#signedIn.peek()?.access;
    const isOpen = access?.kind === "session" && access.sessionId === sessionId;
    const label = name === "" ? email : shortName(name);
    if (!isOpen) this.#open({ kind: "session", sessionId }, label, null, () => this.#checkSession());
    this.#cancelRenewing = world.after(RENEW_SESSION_MS, () => this.#checkSession());
  }

  async #trade<Outcome>(action: (parts: TradingParts) => Promise<Outcome>, signedOut: Outcome): Promise<Outcome> {
    const signedIn = this.#signedIn.peek();
    return signedIn === null ? signedOut : action(signedIn.trading);
  }

  async #change(action: (parts: TradingParts) => Promise<boolean>): Promise<boolean> {
    if (this.#signedIn.peek() === null) this.#notices.notify("bad", ACCOUNT.signedOut);
    return this.#trade(action, false);
  }

  /**
   * Fetches the demo accounts. Only demo nodes on a loopback address list them, and older nodes do not have the route.
   */
  async #readDemo(): Promise<void> {
    try {
      const { accounts = [], lab } = await this.#parts.rest.terminalFacts<Facts>();
      this.#isLab = lab !== undefined;
      this.#demoAccounts.value = accounts;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
}

const SIGNED_OUT: Refusal = { code: null, message: ACCOUNT.signedOut, isUnknown: false };

/** The history of visitors who are not signed in: empty. */
const NO_PAGES: Pages<never> = {
  rows: signal<readonly never[]>([]),
  state: signal<"done">("done"),
  more: () => Promise.resolve(),
};
