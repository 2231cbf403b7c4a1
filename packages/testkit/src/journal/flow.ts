/** A small exchange with a flow of random commands, always the same for the same seed. */
import { type Command, Engine, encodeCommands } from "@pricetime/engine";
import { listAsset, listSymbol } from "../commands/index.ts";
import type { Journal, JournalHead, NewBatch } from "@pricetime/server/data-folder";
import { Dice } from "../dice.ts";
import { ACCOUNT_IDS, randomCommand } from "./random-command.ts";

export const BY = "test";
/** Monday, 29 January 2024, 23:59:30 UTC: a month, a week and a day end not far from here. */
export const START_MS = Date.UTC(2024, 0, 28, 23, 59, 30);
export function setup(): Command[] {
  const asset = (name: string, precision: number): Command => listAsset(name, precision);
  const symbol = (name: string, base: string, filters: object): Command =>
    listSymbol(`${base}/USDT`, filters, { symbol: name });
  const accounts = ACCOUNT_IDS.flatMap((accountId): Command[] => [
    { type: "openAccount", by: BY, email: `${accountId}@test`, name: `a${accountId}`, makerBps: 10, takerBps: 15 },
    ...["BTC", "WIDE", "USDT"].map((name): Command => {
      const reference = `${accountId}-${name}`;
      return { type: "deposit", by: BY, accountId, asset: name, amount: "90000000000000000000", reference };
    }),
  ]);
  return [
    asset("BTC", 8),
    asset("WIDE", 8),
    asset("USDT", 8),
    symbol("BTCUSDT", "BTC", {
      priceFilter: { minPrice: "0.01", maxPrice: "1000000", tickSize: "0.01" },
      lotSize: { minQty: "0.000001", maxQty: "9000", stepSize: "0.000001" },
    }),
    symbol("WIDEUSDT", "WIDE", {}),
    ...accounts,
    {
      type: "createApiKey",
      by: BY,
      accountId: 100,
      apiKey: "k".repeat(64),
      sealedSecret: "sealed",
      permissions: ["TRADE"],
      ipAllowList: [],
      label: "",
    },
  ];
}

/** Returns the setup and then `count` random commands. */
export function randomFlow(seed: number, count: number): Command[] {
  const dice = new Dice(seed);
  return [...setup(), ...Array.from({ length: count }, (_, n) => randomCommand(dice, n + 1))];
}

/** Puts the commands in batches of 1 to 20, with uneven times, as a node would write them. */
export function batchesOf(seed: number, commands: readonly Command[], engine = new Engine()): NewBatch[] {
  const dice = new Dice(seed);
  const batches: NewBatch[] = [];
  let timeMs = START_MS;
  for (let at = 0; at < commands.length; ) {
    const taken = commands.slice(at, at + 1 + Math.floor(dice.next() * 20));
    const firstSeq = engine.seq + 1;
    const count = taken.length;
    batches.push({
      firstSeq,
      count,
      timeMs,
      node: "n1",
      bytes: encodeCommands(taken),
      priorEventDigest: engine.eventDigest(),
    });
    for (const command of taken) engine.apply({ seq: engine.seq + 1, timeMs, command });
    at += count;
    const pause = dice.next();
    timeMs +=
      pause < 0.6 ? Math.floor(dice.next() * 2_000) : pause < 0.97 ? Math.floor(dice.next() * 90_000) : 6 * 3_600_000;
  }
  return batches;
}

export async function appendAll(journal: Journal, batches: readonly NewBatch[]): Promise<JournalHead> {
  for (const batch of batches) await journal.append(batch);
  return journal.head();
}
