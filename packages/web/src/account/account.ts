/**
 * The terminal's account: the signed-in session, and the actions that panels take with it. Keys are stored only in the
 * tab's session storage.
 */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Account as AccountRecord } from "@pricetime/protocol";
import type { Freshness, Market } from "../market/port.ts";
import { ACCOUNT } from "../words/words.ts";
import { Refused, type Rest, signingKey } from "../wire/rest.ts";
import type { Streams } from "../wire/streams.ts";
import type { World } from "../wire/world.ts";
import { cancel, cancelAll, cancelList, move, place, placeOco } from "./trading.ts";
import { SignedIn } from "./signed-in.ts";
import { Notices, type TradingParts } from "./trading-parts.ts";
import type { Balance, DemoAccount, Fill, Notice, OcoDraft, OrderDraft, OrderRow, Pages, Session } from "./port.ts";

// The API key and secret of the signed-in account, in the tab's session storage: other tabs cannot read them, and
// closing the tab deletes them.

export interface StoredKeys {
  readonly apiKey: string;
  readonly secretKey: string;
  readonly label: string;
}

/** `sessionStorage`, or null where the browser forbids it. */
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
    // A stored value of another shape is treated as absent.
    return null;
  }
}

function storeKeys(store: TabStore, keys: StoredKeys | null): void {
  try {
    if (keys === null) store?.removeItem(STORE_KEY);
    else store?.setItem(STORE_KEY, JSON.stringify({ version: KEYS_VERSION, ...keys }));
  } catch {
    // The storage is full or forbidden, so the session lasts only until the page is left.
  }
}

// The account.

export interface AccountParts {
  readonly rest: Rest;
  readonly streams: Streams;
  readonly world: World;
  readonly market: ReadonlySignal<Market | null>;
  /** Stores the keys until the tab is closed. */
  readonly store: TabStore;
}

/** A key is shown to its owner by its first characters. */
const LABEL_LETTERS = 8;

export class Account {
  readonly #parts: AccountParts;
  readonly #signedIn = signal<SignedIn | null>(null);
  readonly #demoAccounts = signal<readonly DemoAccount[]>([]);
  /** Empty unless the node is a demo on a loopback address. */
  readonly demoAccounts: ReadonlySignal<readonly DemoAccount[]> = this.#demoAccounts;
  readonly #notices: Notices;
  readonly #endWatch: () => void;
  readonly session = computed<Session | null>(() => {
    const signedIn = this.#signedIn.value;
    if (signedIn === null) return null;
    return { label: signedIn.label, isDemo: this.#demoAccounts.value.some(({ apiKey }) => apiKey === signedIn.apiKey) };
  });
  readonly freshness = computed<Freshness>(() => this.#signedIn.value?.freshness.value ?? "loading");
  readonly balances = computed<ReadonlyMap<string, Balance>>(
    () => this.#signedIn.value?.balances.shown.value ?? new Map(),
  );
  /** Maker and taker rates as fractions of 1, from `GET /api/v3/account`; null until they are known. */
  readonly commission = computed(() => this.#signedIn.value?.balances.commission.value ?? null);
  /**
   * Orders of all markets: open orders, orders being sent, and rejected or unknown orders until the user dismisses
   * them.
   */
  readonly orders = computed<readonly OrderRow[]>(() => this.#signedIn.value?.orders.rows.value ?? []);
  /** The newest fills from the stream and the market's latest, newest first, at most 1,000. */
  readonly fills = computed<readonly Fill[]>(() => this.#signedIn.value?.fills.shown.value ?? []);

  constructor(parts: AccountParts) {
    this.#parts = parts;
    this.#notices = new Notices(parts.world);
    this.#endWatch = parts.streams.state.subscribe(({ state }) => {
      if (state === "live" && this.#demoAccounts.peek().length === 0) void this.#readDemo();
    });
    const stored = storedKeys(parts.store);
    // After a reload the user stays signed in, unless the node rejects the key.
    if (stored !== null)
      void this.#open(stored.apiKey, stored.secretKey, stored.label, null).catch(() => this.signOut());
  }

  get notices(): ReadonlySignal<readonly Notice[]> {
    return this.#notices.lines;
  }

  /** Adds a notice. */
  notify(tone: Notice["tone"], text: string): void {
    this.#notices.notify(tone, text);
  }

  /** Rejects with a `Refusal` if the node rejects the key. */
  async signIn(apiKey: string, secretKey: string, label = apiKey.slice(0, LABEL_LETTERS)): Promise<void> {
    const key = await signingKey(apiKey, secretKey);
    const account = await this.#parts.rest.signed<AccountRecord>("GET", "/api/v3/account", key);
    await this.#open(apiKey, secretKey, label, account);
    storeKeys(this.#parts.store, { apiKey, secretKey, label });
  }

  signOut(): void {
    storeKeys(this.#parts.store, null);
    this.#signedIn.peek()?.close();
    this.#signedIn.value = null;
  }

  /** These actions never reject: `orders` and `notices` show the outcome. True if the node accepted the request. */
  place(draft: OrderDraft): Promise<boolean> {
    return this.#trade((parts) => place(parts, draft));
  }

  placeOco(draft: OcoDraft): Promise<boolean> {
    return this.#trade((parts) => placeOco(parts, draft));
  }

  cancel(order: OrderRow): Promise<boolean> {
    return this.#trade((parts) => cancel(parts, order));
  }

  cancelList(symbol: string, orderListId: number): Promise<boolean> {
    return this.#trade((parts) => cancelList(parts, symbol, orderListId));
  }

  /** Null cancels the orders of all markets. */
  cancelAll(symbol: string | null): Promise<boolean> {
    return this.#trade((parts) => cancelAll(parts, symbol));
  }

  /**
   * Cancels the order (of an OCO the whole list) and places it again at the new price. If placing fails, a notice
   * states that the order is canceled and why. With `stopPrice`, the stop price moves.
   */
  move(order: OrderRow, to: { readonly price?: string; readonly stopPrice?: string }): Promise<boolean> {
    return this.#trade((parts) => move(parts, order, to));
  }

  dismiss(order: OrderRow): void {
    this.#signedIn.peek()?.orders.dismiss(order);
  }

  orderHistory(symbol: string): Pages<OrderRow> {
    return this.#signedIn.peek()?.histories.orders(symbol) ?? NO_PAGES;
  }

  tradeHistory(symbol: string): Pages<Fill> {
    return this.#signedIn.peek()?.histories.fills(symbol) ?? NO_PAGES;
  }

  close(): void {
    this.#endWatch();
    this.#signedIn.peek()?.close();
  }

  async #open(apiKey: string, secretKey: string, label: string, first: AccountRecord | null): Promise<void> {
    const { rest, streams, world, market } = this.#parts;
    const key = await signingKey(apiKey, secretKey);
    this.#signedIn.peek()?.close();
    const signedIn: SignedIn = new SignedIn(
      {
        ...{ rest, streams, world, market, key, label, notices: this.#notices },
        onKeyRejected: (why) => {
          if (this.#signedIn.peek() !== signedIn) return;
          this.#notices.notify("bad", ACCOUNT.dismissed(why));
          this.signOut();
        },
      },
      first,
    );
    this.#signedIn.value = signedIn;
  }

  async #trade(action: (parts: TradingParts) => Promise<boolean>): Promise<boolean> {
    const signedIn = this.#signedIn.peek();
    if (signedIn !== null) return action(signedIn.trading);
    this.#notices.notify("bad", ACCOUNT.signedOut);
    return false;
  }

  /** Only a demo node on a loopback address lists demo accounts. An older node has no such page. */
  async #readDemo(): Promise<void> {
    try {
      const { accounts = [] } = await this.#parts.rest.terminalFacts<{ readonly accounts?: readonly DemoAccount[] }>();
      this.#demoAccounts.value = accounts;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
}

/** The empty history of a visitor who is not signed in. */
const NO_PAGES: Pages<never> = {
  rows: signal<readonly never[]>([]),
  state: signal<"done">("done"),
  more: () => Promise.resolve(),
};
