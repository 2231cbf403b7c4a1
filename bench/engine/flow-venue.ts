/** The state of a real venue before the first order, and the exchange's commands for the steps of a flow. */
import { ADOPT_NEWEST_RULES, type Command, Engine, type OrderType } from "@pricetime/engine";
import { deposit, listAsset, listSymbol, openAccount, placeOrder } from "@pricetime/testkit/commands";
import type { Step } from "./flow.ts";

const ACCOUNTS = 200;
export const FIRST_ACCOUNT = 100;
/** Quote assets in a venue of many symbols; a symbol is a pair of a base and a quote asset. */
const QUOTE_ASSETS = 10;
/** Each account has a share of all resting orders: with a million, more than a venue would allow. */
const MAX_ORDERS_PER_SYMBOL = 2_000_000;

const ORDER_TYPES: readonly OrderType[] = ["LIMIT", "LIMIT_MAKER", "MARKET"];
const FILTERS = {
  priceFilter: { minPrice: "0.01", maxPrice: "1000000.00", tickSize: "0.01" },
  percentPrice: { multiplierUp: "5", multiplierDown: "0.2", avgPriceMins: 5 },
  lotSize: { minQty: "0.000001", maxQty: "9000", stepSize: "0.000001" },
  minNotional: { minNotional: "10", applyToMarket: true, avgPriceMins: 5 },
  maxNumOrders: { limit: MAX_ORDERS_PER_SYMBOL },
};

/** The index of an asset; symbol `n` is base `n / quotes` with quote `n % quotes`. */
interface Venues {
  readonly bases: readonly string[];
  readonly quotes: readonly string[];
}

function assetsOf(symbols: number): Venues {
  if (symbols === 1) return { bases: ["BTC"], quotes: ["USDT"] };
  const names = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
  return { bases: names("B", Math.ceil(symbols / QUOTE_ASSETS)), quotes: names("Q", QUOTE_ASSETS) };
}

/** Assets, symbols with filters, funded accounts. */
export function venueCommands(symbols = 1, accounts = ACCOUNTS): Command[] {
  const by = "bench";
  const { bases, quotes } = assetsOf(symbols);
  const commands: Command[] = [...bases, ...quotes].map((asset) => listAsset(asset));
  // As a node journals them: the engine counts the orders of each account.
  const rules = [
    { windowMs: 1000, limit: 10 },
    { windowMs: 86_400_000, limit: 100_000 },
  ];
  commands.push({ type: "setOrderLimits", by, rules });
  for (let i = 0; i < symbols; i++) {
    const [base, quote] = [bases[Math.floor(i / quotes.length)], quotes[i % quotes.length]];
    commands.push(listSymbol(`${base}/${quote}`, FILTERS, { orderTypes: ORDER_TYPES }));
  }
  for (let i = 0; i < accounts; i++) {
    const accountId = FIRST_ACCOUNT + i;
    commands.push(openAccount(`${i}@example.org`, { name: `${i}`, makerBps: 10, takerBps: 10 }));
    commands.push(...bases.map((asset) => deposit(accountId, asset, "1000000")));
    commands.push(...quotes.map((asset) => deposit(accountId, asset, "50000000000")));
  }
  return commands;
}

/** The exchange's command for a step. */
export function commandOf(step: Step, accounts = ACCOUNTS): Command {
  const { orderId, symbolId } = step;
  const accountId = FIRST_ACCOUNT + (orderId % accounts);
  if (step.kind === "cancel") {
    const ids = { orderId, origClientOrderId: "", newClientOrderId: `cancel${orderId}` };
    return { type: "cancelOrder", accountId, symbolId, ...ids };
  }
  const [side, clientOrderId] = [step.buys ? "BUY" : "SELL", `order${orderId}`] as const;
  return placeOrder({ accountId, symbolId, side, priceTicks: step.ticks, quantityLots: step.lots, clientOrderId });
}

/** An engine with the venue set up, and the time and number of its next entry: 100 commands per millisecond. */
export class Venue {
  readonly engine = new Engine();
  #seq = 0;

  constructor(symbols = 1, accounts = ACCOUNTS) {
    for (const command of [ADOPT_NEWEST_RULES, ...venueCommands(symbols, accounts)]) {
      const [event] = this.apply(command);
      if (event?.type === "rejected") throw new Error(`${command.type}: ${event.reason}`);
    }
  }

  apply(command: Command): ReturnType<Engine["apply"]> {
    const seq = ++this.#seq;
    return this.engine.apply({ seq, timeMs: 1_700_000_000_000 + Math.floor(seq / 100), command });
  }
}
