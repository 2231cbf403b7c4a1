/**
 * Replays a journal of orders that their owners cannot pay for, compared with the usual flow in the same run: such
 * orders must not slow down a restart. Both rates include decoding and execution, in memory, on a book of 29,700 asks.
 */
import { ADOPT_NEWEST_RULES, type Command, decodeCommands, encodeCommands, Engine } from "@pricetime/engine";
import { deposit, openAccount, placeOrder } from "@pricetime/testkit/commands";
import { commandOf, FIRST_ACCOUNT, venueCommands } from "../engine/flow-venue.ts";
import { makeFlow } from "../engine/flow.ts";
import { median } from "@pricetime/testkit/quantile";
import { thousands } from "../measure.ts";
import type { BenchOptions } from "../options.ts";

const ROUNDS = 5;
const ASKS = 29_700;
const REFUSED = 38_126;
const USUAL = 200_000;
const BATCH = 100;
const ACCOUNTS = 200;
/** Opened after all others, with 100 USDT and 0.001 BTC. */
const POOR = FIRST_ACCOUNT + ACCOUNTS;
const LEAST_RATIO = 0.5;

type Order = Extract<Command, { type: "placeOrder" }>;

/** The orders of each kind; the poor account can pay for none. */
const KINDS: Readonly<Record<string, Pick<Order, "side" | "quoteOrderQty" | "quantityLots">>> = {
  "MARKET BUY, quoteOrderQty 6,000,000": { side: "BUY", quoteOrderQty: 6_000_000n * 10n ** 8n, quantityLots: 0 },
  "MARKET BUY, quantity 8,999": { side: "BUY", quoteOrderQty: 0n, quantityLots: 8_999_000_000 },
  "MARKET SELL, quantity 8,999": { side: "SELL", quoteOrderQty: 0n, quantityLots: 8_999_000_000 },
  "MARKET SELL, quoteOrderQty 6,000,000": { side: "SELL", quoteOrderQty: 6_000_000n * 10n ** 8n, quantityLots: 0 },
};

export function run({ rounds = ROUNDS }: BenchOptions): string[] {
  const opening = openingCommands();
  const flow = makeFlow("mixed", 1, 1, USUAL);
  const usual = [...flow.opening, ...flow.steps].map((step) => commandOf(step));
  const usualRates: number[] = [];
  const rates = new Map<string, number[]>(Object.keys(KINDS).map((kind) => [kind, []]));
  for (let round = 0; round < rounds; round++) {
    usualRates.push(replayed([ADOPT_NEWEST_RULES, ...venueCommands()], usual).perSecond);
    for (const [kind, asked] of Object.entries(KINDS)) {
      const orders = Array.from({ length: REFUSED }, (_, n) => marketOrder(n, asked));
      const { perSecond, refused } = replayed(opening, orders);
      if (refused !== REFUSED) throw new Error(`${kind}: ${refused} of ${REFUSED} were refused`);
      rates.get(kind)?.push(perSecond);
    }
  }
  const base = median(usualRates);
  const lines = [`${thousands(REFUSED)} of each, medians of ${rounds} rounds`, `  usual flow: ${thousands(base)}/s`];
  for (const [kind, each] of rates) {
    const ratio = median(each) / base;
    const verdict = ratio < LEAST_RATIO ? ` BELOW ${LEAST_RATIO}` : "";
    lines.push(`  ${kind}: ${thousands(median(each))}/s, ratio **${ratio.toFixed(2)}**${verdict}`);
  }
  return lines;
}

/** A venue with a long book on both sides, and one account with a small balance. */
function openingCommands(): Command[] {
  const commands: Command[] = [ADOPT_NEWEST_RULES, ...venueCommands(1, ACCOUNTS)];
  commands.push(openAccount("poor@example.org", { makerBps: 10, takerBps: 10 }));
  commands.push(deposit(POOR, "USDT", "100"), deposit(POOR, "BTC", "0.001"));
  for (let n = 0; n < 2 * ASKS; n++) {
    const buys = n % 2 === 0;
    const ticks = 5_000_000 + (buys ? -1 : 1) * (1 + (n >> 1));
    commands.push(commandOf({ kind: "place", orderId: n, symbolId: 0, buys, ticks, lots: 10_000 }));
  }
  // Sets the average price that market orders are checked against.
  commands.push(
    commandOf({ kind: "place", orderId: 2 * ASKS, symbolId: 0, buys: true, ticks: 5_000_001, lots: 10_000 }),
  );
  return commands;
}

function marketOrder(n: number, asked: Pick<Order, "side" | "quoteOrderQty" | "quantityLots">): Command {
  const { side, quoteOrderQty, quantityLots } = asked;
  return placeOrder({
    accountId: POOR,
    side,
    orderType: "MARKET",
    quoteOrderQty,
    quantityLots,
    clientOrderId: `refused${n}`,
  });
}

/** Runs after `opening`, which is not measured. */
function replayed(opening: readonly Command[], commands: readonly Command[]): { perSecond: number; refused: number } {
  const engine = new Engine();
  const timeMs = 1_700_000_000_000;
  for (const command of opening) {
    const [event] = engine.apply({ seq: engine.seq + 1, timeMs, command });
    if (event?.type === "rejected") throw new Error(`${command.type}: ${event.reason}`);
  }
  const batches: Uint8Array[] = [];
  for (let from = 0; from < commands.length; from += BATCH) {
    batches.push(encodeCommands(commands.slice(from, from + BATCH)));
  }
  let refused = 0;
  const started = performance.now();
  for (const [at, bytes] of batches.entries()) {
    for (const command of decodeCommands(bytes, Math.min(BATCH, commands.length - at * BATCH))) {
      const [event] = engine.apply({ seq: engine.seq + 1, timeMs, command });
      if (event?.type === "rejected" && event.reason === "INSUFFICIENT_BALANCE") refused++;
    }
  }
  return { perSecond: (commands.length / (performance.now() - started)) * 1000, refused };
}
