/** Random journals: commands, the batches in which a node would write them, and the resulting history. */
import {
  ADOPT_NEWEST_RULES,
  type Command,
  encodeCommands,
  Engine,
  type ListLeg,
  type OrderType,
  type PlaceOrder,
  type Side,
} from "@pricetime/engine";
import { listAsset, listSymbol, placeOrder } from "./commands.ts";
import { Dice } from "./dice.ts";
import type { History, Journal, JournalHead, NewBatch, Query } from "@pricetime/server/data-folder";
import { DatabaseSync } from "node:sqlite";

// Random commands of traders, of every kind and at similar prices, so that orders match and trigger each other.

export const ACCOUNT_IDS: readonly number[] = [100, 101, 102];

/** Symbols whose orders have prices near `midTicks`. Amounts of WIDEUSDT exceed 64 bits. */
const SYMBOLS = [
  { symbolId: 0, symbol: "BTCUSDT", midTicks: 4_000_000, lots: 100_000 },
  { symbolId: 1, symbol: "WIDEUSDT", midTicks: 9_000_000_000_000, lots: 40_000_000_000_000 },
] as const;

/** The account that sends a command, and the symbol that the command concerns. */
interface Actor {
  readonly dice: Dice;
  /** The number of the command, from which new ids are derived. */
  readonly n: number;
  readonly accountId: number;
  readonly symbolId: number;
  readonly midTicks: number;
  readonly lots: number;
  readonly side: Side;
}

export function randomCommand(dice: Dice, n: number): Command {
  const accountId = dice.pick(ACCOUNT_IDS);
  const { symbolId, midTicks, lots } = dice.pick(SYMBOLS);
  const kind = dice.next();
  const side = dice.next() < 0.5 ? "BUY" : "SELL";
  const actor: Actor = { dice, n, accountId, symbolId, midTicks, lots, side };
  if (kind < 0.12) return cancel(actor);
  if (kind < 0.14) return { type: "cancelOpenOrders", accountId, symbolId, newClientOrderId: `all${n}` };
  if (kind < 0.16) return { type: "tick" };
  if (kind < 0.28) return placeOco(actor);
  if (kind < 0.32) return cancelOrderList(actor);
  if (kind < 0.38) return { type: "cancelReplace", mode: modeOf(dice), cancel: cancel(actor), place: order(actor) };
  return order(actor);
}

const modeOf = (dice: Dice) => (dice.next() < 0.5 ? "STOP_ON_FAILURE" : "ALLOW_FAILURE");

function cancel({ dice, n, accountId, symbolId }: Actor): Extract<Command, { type: "cancelOrder" }> {
  const orderId = 1 + Math.floor(dice.next() * n * 1.2);
  return { type: "cancelOrder", accountId, symbolId, orderId, origClientOrderId: "", newClientOrderId: `x${n}` };
}

/** Returns a price near the mid price, or farther away for orders that must not execute immediately. */
function priceNear({ dice, midTicks }: Actor, side: Side, away: number): number {
  return midTicks + Math.floor((dice.next() - 0.5) * 8) - (side === "BUY" ? away : -away);
}

function order(actor: Actor): PlaceOrder {
  const { dice, n, accountId, symbolId, lots, side } = actor;
  const kind = dice.next();
  const quantityLots = 1 + Math.floor(dice.next() * lots);
  const plain: PlaceOrder = placeOrder({
    accountId,
    symbolId,
    side,
    timeInForce: kind < 0.15 ? "IOC" : kind < 0.2 ? "FOK" : "GTC",
    priceTicks: priceNear(actor, side, 1),
    quantityLots,
    clientOrderId: `c${n % 40 === 0 ? 0 : n}`,
  });
  if (kind < 0.5) return plain;
  if (kind < 0.58) return { ...plain, icebergLots: Math.ceil(quantityLots / 5) };
  if (kind < 0.66) return { ...plain, orderType: "LIMIT_MAKER", priceTicks: priceNear(actor, side, 3) };
  if (kind < 0.88) return waiting(actor, plain);
  const market = { ...plain, orderType: "MARKET", priceTicks: 0 } as const;
  return kind < 0.95 ? market : { ...market, quantityLots: 0, quoteOrderQty: 5_000_000_000n };
}

const STOP_TYPES: readonly OrderType[] = ["STOP_LOSS", "STOP_LOSS_LIMIT", "TAKE_PROFIT", "TAKE_PROFIT_LIMIT"];

function waiting(actor: Actor, plain: PlaceOrder): PlaceOrder {
  const orderType = actor.dice.pick(STOP_TYPES);
  const stopTicks = priceNear(actor, actor.side, 0);
  const isLimit = orderType === "STOP_LOSS_LIMIT" || orderType === "TAKE_PROFIT_LIMIT";
  if (!isLimit) return { ...plain, orderType, stopTicks, priceTicks: 0 };
  const timeInForce = actor.dice.pick(["GTC", "GTC", "IOC", "FOK"] as const);
  const icebergLots = timeInForce === "GTC" && actor.dice.next() < 0.3 ? Math.ceil(plain.quantityLots / 4) : 0;
  return { ...plain, orderType, stopTicks, timeInForce, icebergLots };
}

/** Returns an OCO order, usually with its prices in the required order. */
function placeOco(actor: Actor): Command {
  const { dice, n, accountId, symbolId, midTicks, lots, side } = actor;
  const [up, down] = [midTicks + Math.floor(dice.next() * 5), midTicks - Math.floor(dice.next() * 5)];
  const [limitTicks, stopTicks] = side === "SELL" ? [up, down] : [down, up];
  const leg: ListLeg = {
    orderType: "STOP_LOSS",
    timeInForce: "GTC",
    priceTicks: 0,
    stopTicks,
    icebergLots: 0,
    clientOrderId: `s${n}`,
  };
  const stopLeg = dice.next() < 0.5 ? leg : ({ ...leg, orderType: "STOP_LOSS_LIMIT", priceTicks: stopTicks } as const);
  const profit = { ...leg, orderType: "TAKE_PROFIT", stopTicks: limitTicks, clientOrderId: `l${n}` } as const;
  const maker = { ...profit, orderType: "LIMIT_MAKER", priceTicks: limitTicks, stopTicks: 0 } as const;
  return {
    type: "placeOco",
    accountId,
    symbolId,
    side,
    quantityLots: 1 + Math.floor(dice.next() * lots),
    stopLeg,
    limitLeg: dice.next() < 0.8 ? maker : profit,
    listClientOrderId: `list${n % 30}`,
  };
}

function cancelOrderList({ dice, n, accountId, symbolId }: Actor): Command {
  const byId = dice.next() < 0.6;
  return {
    type: "cancelOrderList",
    accountId,
    symbolId,
    orderListId: byId ? 1 + Math.floor(dice.next() * n * 0.1) : -1,
    listClientOrderId: byId ? "" : `list${Math.floor(dice.next() * 30)}`,
    newClientOrderId: `xl${n}`,
  };
}

// A small exchange with random commands, which are always the same for the same seed.

export const BY = "test";
/** Sunday, 28 January 2024, 23:59:30 UTC: close to the end of a day, a week and a month. */
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
    ADOPT_NEWEST_RULES,
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

/** Returns the setup commands, followed by `count` random commands. */
export function randomFlow(seed: number, count: number): Command[] {
  const dice = new Dice(seed);
  const commands = Array.from({ length: count }, (_, n) => randomCommand(dice, n + 1));
  return [
    ...setup(),
    ...commands.map((command, n) =>
      n % AMEND_EVERY === 3 ? amend(dice, n + 1, commands.slice(n + 1 - AMEND_EVERY, n), command) : command,
    ),
  ];
}

const AMEND_EVERY = 8;

/** Reduces the last of these orders, of which some are filled already. Otherwise returns `other`. */
function amend(dice: Dice, n: number, before: readonly Command[], other: Command): Command {
  const placed = before.findLast((command) => command.type === "placeOrder" || command.type === "placeOco");
  if (placed === undefined || placed.quantityLots < 2) return other;
  const { accountId, symbolId } = placed;
  const origClientOrderId = placed.type === "placeOco" ? placed.limitLeg.clientOrderId : placed.clientOrderId;
  const quantityLots = 1 + Math.floor(dice.next() * (placed.quantityLots - 1));
  const newClientOrderId = dice.next() < 0.3 ? origClientOrderId : `a${n}`;
  return { type: "amendOrder", accountId, symbolId, orderId: 0, origClientOrderId, newClientOrderId, quantityLots };
}

/** Groups the commands into batches of 1 to 20 with irregular times, as a node would write them. */
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

/**
 * A history for queries over tables. `seqNow` returns the last entry in the tables. `reached` resolves when the tables
 * contain an entry; without it, callers must ensure this themselves.
 */
export function historyOver(query: Query, seqNow: () => number, reached?: (seq: number) => Promise<void>): History {
  return {
    get seq() {
      return seqNow();
    },
    async query(seq, name, args) {
      if (reached !== undefined) await reached(seq);
      return query(name, args);
    },
  };
}

export function dumpHistory(path: string): Record<string, string[]> {
  const database = new DatabaseSync(path, { readOnly: true });
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const dump: Record<string, string[]> = {};
  for (const { name } of names as { name: string }[]) {
    const columns = database.prepare(`PRAGMA table_info(${name})`).all().length;
    const order = [1, 2, 3].slice(0, columns).join(", ");
    const statement = database.prepare(`SELECT * FROM ${name} ORDER BY ${order}`);
    statement.setReadBigInts(true);
    dump[name] = statement.all().map((row) => Object.values(row).join("|"));
  }
  database.close();
  return dump;
}
