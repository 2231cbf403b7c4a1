/** Commands to fill a journal with, generated from a seed. */
import { Dice } from "@pricetime/testkit/dice";
import { type JournalMaker, limitOrder } from "./journal-maker.ts";

const MID_TICKS = 5_000_000;
/** The number of prices with resting orders, on each side. */
const DEPTH = 20_000;
const LOTS = 10_000;
/** Between batches of a thousand. */
const BATCH_MS = 100;
const COMMANDS_A_BATCH = 1000;
/** The resting orders at which cancels and fills of the mixed flow balance its adds. */
const RESTING = 10_000;

/** So many resting orders, spread over a book of 40,000 prices. */
export function restingOrders(maker: JournalMaker, count: number): void {
  const random = new Dice(1);
  for (let n = 0; n < count; n++) {
    if (n % COMMANDS_A_BATCH === 0) maker.pass(BATCH_MS);
    const accountId = maker.accountIds[n % maker.accountIds.length] ?? 0;
    const side = n % 2 === 0 ? "BUY" : "SELL";
    const away = random.between(1, DEPTH);
    const ticks = MID_TICKS + (side === "BUY" ? -away : away);
    maker.apply(limitOrder(accountId, { side, ticks, lots: LOTS, id: `rest${n}` }));
  }
}

/** So many trades of the first two accounts; no order stays open. */
export function tradedPairs(maker: JournalMaker, count: number): void {
  const [seller = 0, buyer = 0] = maker.accountIds;
  for (let n = 0; n < count; n++) {
    if ((2 * n) % COMMANDS_A_BATCH === 0) maker.pass(BATCH_MS);
    for (const [accountId, side] of [
      [seller, "SELL"],
      [buyer, "BUY"],
    ] as const)
      maker.apply(limitOrder(accountId, { side, ticks: MID_TICKS, lots: LOTS, id: `${side}${n}` }));
  }
}

/** Half adds, two fifths cancels, a tenth orders that trade; returns the number of trades. */
export function mixedFlow(maker: JournalMaker, count: number): number {
  const random = new Dice(2);
  const open: { readonly orderId: number; readonly accountId: number }[] = [];
  let trades = 0;
  for (let n = 0; n < count; n++) {
    if (n % COMMANDS_A_BATCH === 0) maker.pass(BATCH_MS);
    const accountId = maker.accountIds[n % maker.accountIds.length] ?? 0;
    const dice = open.length < RESTING ? 0 : random.next();
    if (dice >= 0.5 && dice < 0.9) {
      cancelOne(maker, open, random);
      continue;
    }
    const side = random.next() < 0.5 ? "BUY" : "SELL";
    const crosses = dice >= 0.9;
    const away = crosses ? -10 : random.between(1, 2000);
    const ticks = MID_TICKS + (side === "BUY" ? -away : away);
    for (const event of maker.apply(limitOrder(accountId, { side, ticks, lots: LOTS, id: `order${n}` }))) {
      if (event.type === "trade") trades++;
      if (event.type === "orderOpened" && !crosses) open.push({ orderId: event.order.orderId, accountId });
    }
  }
  return trades;
}

/** Cancels a random order; one that was filled in the meantime is skipped. */
function cancelOne(
  maker: JournalMaker,
  open: { readonly orderId: number; readonly accountId: number }[],
  random: Dice,
): void {
  while (open.length > 0) {
    const place = random.between(0, open.length - 1);
    const order = open[place];
    const last = open.pop();
    if (order === undefined || last === undefined) return;
    if (place < open.length) open[place] = last;
    if (maker.engine.openOrder(order.orderId) === undefined) continue;
    maker.apply({
      type: "cancelOrder",
      accountId: order.accountId,
      symbolId: 0,
      orderId: order.orderId,
      origClientOrderId: "",
      newClientOrderId: `cancel${order.orderId}`,
    });
    return;
  }
}
