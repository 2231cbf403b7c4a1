/** Parameters of orders of every type, around one price, so that they match and trigger each other. */
import type { Parameters } from "../client/index.ts";
import type { Dice } from "../dice.ts";

export const SYMBOL = "BTCUSDT";
const MID_CENTS = 5_000_000;
const SPREAD_CENTS = 2_000;

const price = (cents: number): string => (cents / 100).toFixed(2);
const quantity = (random: Dice): string => (random.between(1_000, 50_000) / 1e6).toFixed(6);

function share(amount: string, parts: number): string {
  return (Math.ceil((Number(amount) * 1e6) / parts) / 1e6).toFixed(6);
}

/** Returns an order without client id: about half are plain LIMIT, the others of all other types. */
export function randomOrder(random: Dice): Parameters {
  const buys = random.next() < 0.5;
  const away = random.between(-SPREAD_CENTS / 4, SPREAD_CENTS);
  const base: Parameters = { symbol: SYMBOL, side: buys ? "BUY" : "SELL", quantity: quantity(random) };
  const limit: Parameters = {
    ...base,
    type: "LIMIT",
    timeInForce: "GTC",
    price: price(MID_CENTS + (buys ? -away : away)),
  };
  const kind = random.next();
  if (kind < 0.5) return limit;
  if (kind < 0.58) return { ...limit, icebergQty: share(String(base.quantity), 4) };
  if (kind < 0.62) return { ...limit, timeInForce: "IOC" };
  if (kind < 0.66) return { ...limit, timeInForce: "FOK" };
  if (kind < 0.7) return { ...base, type: "LIMIT_MAKER", price: limit.price ?? "" };
  if (kind < 0.74) return { ...base, type: "MARKET" };
  return waiting(random, base, limit);
}

const WAITING = ["STOP_LOSS", "STOP_LOSS_LIMIT", "TAKE_PROFIT", "TAKE_PROFIT_LIMIT"] as const;

function waiting(random: Dice, base: Parameters, limit: Parameters): Parameters {
  const type = random.pick(WAITING) ?? "STOP_LOSS";
  const stopPrice = price(MID_CENTS + random.between(-SPREAD_CENTS / 2, SPREAD_CENTS / 2));
  return type.endsWith("_LIMIT") ? { ...limit, type, stopPrice } : { ...base, type, stopPrice };
}

/** Returns parameters for `order/oco`, without client ids. */
export function randomOco(random: Dice): Parameters {
  const buys = random.next() < 0.5;
  const [gain, loss] = [random.between(0, SPREAD_CENTS / 2), random.between(0, SPREAD_CENTS / 2)];
  const sign = buys ? -1 : 1;
  const stopPrice = price(MID_CENTS - sign * loss);
  const oco: Parameters = {
    symbol: SYMBOL,
    side: buys ? "BUY" : "SELL",
    quantity: quantity(random),
    price: price(MID_CENTS + sign * gain),
    stopPrice,
  };
  if (random.next() < 0.5) return oco;
  return { ...oco, stopLimitPrice: stopPrice, stopLimitTimeInForce: "GTC" };
}
