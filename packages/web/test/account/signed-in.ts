/** An account of the terminal at a real node, and the node's own data to compare with. */
import assert from "node:assert/strict";
import { Client } from "@pricetime/testkit/client";
import type { Exchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { Account, type TabStore } from "../../src/account/account.ts";
import type { OrderRow } from "../../src/account/port.ts";
import { Feed } from "../../src/market/feed.ts";
import { Rest } from "../../src/wire/rest.ts";
import { SessionNote } from "../../src/wire/session.ts";
import { Streams } from "../../src/wire/streams.ts";
import { MACHINE } from "../../src/wire/world.ts";
import { streamAddress, type WatchedWorld, watchedWorld } from "../venue.ts";

export interface Opened {
  readonly account: Account;
  readonly feed: Feed;
  readonly world: WatchedWorld;
  close(): void;
}

/** A browser in which no customer has signed in. */
const NO_NOTE = new SessionNote({ getItem: () => null, setItem: () => {}, removeItem: () => {} }, MACHINE);

export function openTerminal(
  node: Exchange,
  store: TabStore = null,
  { world, note }: { world: WatchedWorld; note: SessionNote } = { world: watchedWorld(), note: NO_NOTE },
): Opened {
  const rest = new Rest(node.rest, world);
  const streams = new Streams(streamAddress(node), world);
  const feed = new Feed({ rest, streams, world, symbol: "BTCUSDT" });
  const account = new Account({ rest, streams, world, market: feed.market, store, note });
  return {
    ...{ account, feed, world },
    close() {
      account.close();
      feed.close();
      streams.close();
    },
  };
}

export async function signedIn(node: Exchange, name: string, store: TabStore = null): Promise<Opened> {
  const opened = openTerminal(node, store);
  const { apiKey = "", secretKey = "" } = node.accounts.find((one) => one.name === name) ?? {};
  await opened.account.signIn(apiKey, secretKey, name);
  await until("the account is live", () => opened.account.freshness.value === "live");
  return opened;
}

export const clientOf = (node: Exchange, name: string): Client =>
  new Client(
    node.rest,
    node.accounts.find((one) => one.name === name),
  );

/** Waits until orders and balances equal the node's, and compares them field by field. */
export async function isTheNodes({ account }: Opened, node: Exchange, name: string): Promise<void> {
  const client = clientOf(node, name);
  const open = (await client.signed<Record<string, unknown>[]>("GET", "/api/v3/openOrders")).json;
  const { balances } = (await client.signed<{ balances: object[] }>("GET", "/api/v3/account")).json;
  client.close();
  const theirs: Record<string, unknown>[] = open.map((row) => ({
    ...row,
    timeMs: row["time"],
    updateTimeMs: row["updateTime"],
  }));
  const ids = (rows: readonly { orderId?: unknown }[]): string =>
    JSON.stringify(rows.map(({ orderId }) => orderId).sort());
  const known = (): readonly OrderRow[] => account.orders.value.filter(({ state }) => state === "known");
  const text = JSON.stringify;
  const sorted = (all: readonly object[]): string => text(all.map((one) => text(one)).sort());
  await until(
    () => `orders ${ids(theirs)} and balances are there: ${ids(known())} are, ${account.freshness.value}`,
    () =>
      account.freshness.value === "live" &&
      ids(known()) === ids(theirs) &&
      sorted([...account.balances.value.values()]) === sorted(balances),
  );
  for (const row of known()) {
    const their = theirs.find(({ orderId }) => orderId === row.orderId);
    for (const [field, value] of Object.entries(row)) {
      if (field !== "state" && field !== "refusal")
        assert.deepEqual(value, their?.[field], `${field} of ${row.orderId}`);
    }
  }
}
