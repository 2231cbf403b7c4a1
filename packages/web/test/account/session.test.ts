/**
 * The session of the account pages in the terminal: it trades, follows sign-ins and sign-outs on other pages of the
 * browser, and never acts for another account than the shown one.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Exchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import type { OrderDraft } from "../../src/account/port.ts";
import { Rest } from "../../src/wire/rest.ts";
import { SessionNote } from "../../src/wire/session.ts";
import { startQuietNode, type WatchedWorld, watchedWorld } from "../venue.ts";
import { isTheNodes, openTerminal, type Opened } from "./signed-in.ts";

let node: Exchange;
before(async () => {
  node = await startQuietNode();
});
after(() => node.kill());

const ORDER: OrderDraft = {
  symbol: "BTCUSDT",
  side: "BUY",
  type: "LIMIT",
  timeInForce: "GTC",
  price: "10000",
  quantity: "0.5",
};

/** A browser: its cookies and its storage are shared by its tabs. */
class Browser {
  readonly #cookies = new Map<string, string>();
  readonly #stored = new Map<string, string>();
  readonly #tabs: { readonly world: WatchedWorld; readonly changed: Set<() => void> }[] = [];

  /** Opens the terminal in another tab. `isDeaf`: it never learns what other tabs store. */
  tab(isDeaf = false): Opened {
    const { world, note } = this.environment(isDeaf);
    return openTerminal(node, null, { world, note });
  }

  environment(isDeaf = false): { world: WatchedWorld; note: SessionNote } {
    const world = watchedWorld();
    const changed = new Set<() => void>();
    const { fetch: send } = world;
    const tab = { world, changed };
    if (!isDeaf) this.#tabs.push(tab);
    world.fetch = async (address, request) => {
      const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const headers = { ...(request.headers as Record<string, string>), ...(cookie !== "" && { cookie }) };
      const response = await send(address, { ...request, headers });
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === "") this.#cookies.delete(name);
        else this.#cookies.set(name, value);
      }
      return response;
    };
    world.onStored = (_, run) => {
      changed.add(run);
      return () => changed.delete(run);
    };
    const store = {
      getItem: (key: string) => this.#stored.get(key) ?? null,
      setItem: (key: string, value: string) => this.#store(tab, key, value),
      removeItem: (key: string) => this.#store(tab, key, null),
    };
    return { world, note: new SessionNote(store, world) };
  }

  #store(by: object, key: string, value: string | null): void {
    if (value === null) this.#stored.delete(key);
    else this.#stored.set(key, value);
    for (const tab of this.#tabs) if (tab !== by) for (const run of [...tab.changed]) queueMicrotask(run);
  }
}

const demoOf = ({ account }: Opened, name: string) => account.demoAccounts.value.find((one) => one.name === name);

async function enter(opened: Opened, name: string): Promise<void> {
  await until("the demo's accounts are known", () => demoOf(opened, name) !== undefined);
  await opened.account.signInToDemo(demoOf(opened, name) ?? assert.fail());
  await live(opened, name);
}

const live = (opened: Opened, name: string): Promise<void> =>
  until(
    `${name} is live`,
    () => opened.account.session.value?.label === name && opened.account.freshness.value === "live",
  );

test("a session trades without a key: orders, cancellations, events and histories are the node's", async () => {
  const browser = new Browser();
  const tab = browser.tab();
  await enter(tab, "alice");
  assert.deepEqual(tab.account.session.value, { label: "alice", isByKey: false });
  assert.equal(await tab.account.place(ORDER), null);
  await isTheNodes(tab, node, "alice");
  const [row] = tab.account.orders.value;
  assert.ok(row !== undefined);
  assert.equal(await tab.account.move(row, { price: "10001" }), true);
  await isTheNodes(tab, node, "alice");
  assert.equal(await tab.account.cancelAll("BTCUSDT"), true);
  await isTheNodes(tab, node, "alice");
  const history = tab.account.orderHistory("BTCUSDT");
  await history.more();
  assert.ok(history.rows.value.length >= 2);
  assert.ok(!tab.world.requests.includes("POST /api/v3/userDataStream"), "its stream ends with the session");
  tab.close();
});

test("signing in and out in one tab shows in the others, which keep no stream of the session", async () => {
  const browser = new Browser();
  const [first, second] = [browser.tab(), browser.tab()];
  await enter(first, "alice");
  await live(second, "alice");
  const third = browser.tab();
  await live(third, "alice");
  await second.account.signOut();
  assert.equal(second.account.session.value, null);
  for (const tab of [first, third]) await until("it is signed out", () => tab.account.session.value === null);
  const open = () => [first, second, third].flatMap(({ world }) => world.sockets.filter(isOfAccount));
  await until("no stream is open", () => open().every(({ readyState }) => readyState === WebSocket.CLOSED));
  assert.match(first.account.notices.value[0]?.text ?? "", /signed out/);
  for (const tab of [first, second, third]) tab.close();
});

const isOfAccount = ({ url }: WebSocket): boolean => url.includes("/account/stream");

test("a sign-in as another customer shows in every tab, and no tab trades for an account that it does not show", async () => {
  const browser = new Browser();
  const first = browser.tab(true);
  await enter(first, "alice");
  const { world } = browser.environment();
  const other = new Rest(node.rest, world);
  const { email, password } = demoOf(first, "bob") ?? assert.fail();
  // The tab is not told, and its stream does not close yet: what it sends names alice's session.
  const before = first.account.session.value;
  const placing = other.account("POST", "sign-in", null, { email, password }).then(() => first.account.place(ORDER));
  assert.equal((await placing)?.code, -2015);
  assert.equal(before?.label, "alice");
  await live(first, "bob");
  await isTheNodes(first, node, "bob");
  first.close();
});

test("an operator's or another page's end of the session signs out; a tab with a key keeps trading", async () => {
  const browser = new Browser();
  const [bySession, byKey] = [browser.tab(), browser.tab()];
  await enter(bySession, "alice");
  const { apiKey, secretKey } = demoOf(bySession, "bob") ?? assert.fail();
  await byKey.account.signIn(apiKey, secretKey, "bob");
  await live(byKey, "bob");
  const { world } = browser.environment();
  await new Rest(node.rest, world).account("POST", "sign-out", null, {});
  await until("it is signed out", () => bySession.account.session.value === null);
  assert.deepEqual(byKey.account.session.value, { label: "bob", isByKey: true });
  await enter(bySession, "alice");
  assert.equal(byKey.account.session.value?.label, "bob");
  await byKey.account.signOut();
  await live(byKey, "alice");
  for (const tab of [bySession, byKey]) tab.close();
});

test("a browser without storage requests no session, and a demo account signs in with its key", async () => {
  const world = watchedWorld();
  const tab = openTerminal(node, null, { world, note: new SessionNote(null, world) });
  await enter(tab, "alice");
  assert.deepEqual(tab.account.session.value, { label: "alice", isByKey: true });
  assert.deepEqual(
    world.requests.filter((request) => request.includes(" /account/")),
    [],
  );
  tab.close();
});

test("an order that reaches the node after its time is not carried out", async () => {
  const tab = new Browser().tab();
  await enter(tab, "carol");
  const { fetch: send } = tab.world;
  // The order is held up on its way, and its time is over when it arrives.
  tab.world.fetch = (address, request) => {
    const { body } = request;
    if (typeof body !== "string") return send(address, request);
    return send(address, { ...request, body: body.replace(/timestamp=\d+/, `timestamp=${Date.now() - 6_000}`) });
  };
  assert.equal((await tab.account.place(ORDER))?.code, -1021);
  tab.close();
});
