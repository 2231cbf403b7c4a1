/**
 * No parameter is accepted and then ignored: the handler of each endpoint reads it, or it is listed below with the
 * reason.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ENDPOINTS, type KnownEndpoint, METHODS, type Parameter, VENUE_INTERFACES } from "@pricetime/protocol";
import { Call, DEFERRED, type Venue } from "../../src/api/call.ts";
import { RandomIds } from "../../src/api/ids.ts";
import { OrderLimiter } from "../../src/api/edge/rate-limits.ts";
import { DEFAULT_LIMITS } from "../../src/api/edge/rate-limit-rules.ts";
import { Refused } from "../../src/api/edge/refusals.ts";
import { Turns } from "../../src/api/answers/long-list.ts";
import { ExchangeInfo } from "../../src/api/exchange-info.ts";
import { HANDLERS } from "../../src/api/handlers.ts";
import type { Session } from "../../src/api/edge/session.ts";
import { WalletVenue } from "./wallet/wallet-venue.ts";
import { MACHINE } from "../../src/platform/world/machine.ts";
import { NOTHING_SAVED } from "../../src/platform/world/port.ts";

/** Why a parameter is not read, by endpoint and parameter. */
const UNREAD: Readonly<Record<string, string>> = {
  "blockTrades.historical fromId": "there are no block trades",
  "blockTrades.historical limit": "there are no block trades",
  "capital.withdraw transactionFeeFlag": "it may be false alone",
  "capital.withdraw walletType": "it may be 0 alone: there is one wallet",
  "subAccount.transfer fromAccountType": "it may be SPOT alone",
  "subAccount.transfer toAccountType": "it may be SPOT alone",
  "wapi.depositAddress status": "interface 4.5 names it, and says nothing of what it would do",
  "asset.dustLog startTime": "conversions are not listed, of no time",
  "asset.dustLog endTime": "conversions are not listed, of no time",
};

class ReadValues extends Map<string, string> {
  readonly read = new Set<string>();

  override get(name: string): string | undefined {
    this.read?.add(name);
    return super.get(name);
  }

  override has(name: string): boolean {
    this.read?.add(name);
    return super.has(name);
  }
}

const SAMPLES: Readonly<Record<string, string>> = {
  symbol: "BTCUSDT",
  symbols: '["BTCUSDT"]',
  windowSize: "4h",
  type: "LIMIT",
  side: "SELL",
  aboveType: "LIMIT_MAKER",
  belowType: "STOP_LOSS",
  asset: "ETH",
  coin: "ETH",
  email: "sub@example.org",
  fromEmail: "trader@example.org",
  toEmail: "sub@example.org",
  address: "one",
};

/** Parameters that an endpoint needs besides the mandatory ones of the table. */
const LIMIT = { timeInForce: "GTC", quantity: "1", price: "10000" };
const WORKING = { workingType: "LIMIT", workingTimeInForce: "GTC", workingPrice: "10000", pendingSide: "SELL" };
const PENDING = { pendingType: "LIMIT_MAKER", pendingPrice: "60000" };
const PENDING_PAIR = {
  ...{ pendingAboveType: "LIMIT_MAKER", pendingAbovePrice: "60000" },
  ...{ pendingBelowType: "STOP_LOSS", pendingBelowStopPrice: "9000" },
};
const ALSO: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "order.place": LIMIT,
  "order.test": LIMIT,
  "order.cancelReplace": LIMIT,
  myPreventedMatches: { orderId: "1" },
  "orderList.place.oto": { ...WORKING, ...PENDING },
  "orderList.place.otoco": { ...WORKING, ...PENDING_PAIR },
  "orderList.place.opo": { ...WORKING, ...PENDING },
  "orderList.place.opoco": { ...WORKING, ...PENDING_PAIR },
  "orderList.place.oco": { abovePrice: "60000", belowStopPrice: "10000" },
};

function sample({ name, kind, words }: Parameter): string {
  const known = SAMPLES[name];
  if (known !== undefined && (words === undefined || words.includes(known))) return known;
  return words?.[0] ?? (kind === "boolean" ? "true" : kind === "listenKey" ? "k".repeat(64) : "1");
}

/** The connection of methods of the WebSocket API. */
const SESSION = {
  status: () => ({}),
  logOn: () => undefined,
  logOut: () => undefined,
  subscribe: () => 0,
  unsubscribe: () => undefined,
  subscriptions: [],
} as unknown as Session;

/** The parameters read if only the mandatory ones and `parameter` are sent. */
async function readBy(endpoint: KnownEndpoint, parameter: Parameter): Promise<ReadonlySet<string>> {
  const venue = new WalletVenue();
  const values = new ReadValues();
  for (const other of endpoint.parameters) if (other.required) values.set(other.name, sample(other));
  for (const [name, value] of Object.entries(ALSO[endpoint.id] ?? {})) values.set(name, value);
  values.set(parameter.name, sample(parameter));
  const apiKey = venue.engine.apiKey(venue.trader.apiKey);
  const ip = "127.0.0.1";
  const owner = { answer: () => undefined, refuse: () => undefined };
  const turns = new Turns(MACHINE);
  const parts: Venue = {
    turns,
    exchangeInfo: new ExchangeInfo(() => venue.engine, DEFAULT_LIMITS, turns),
    engine: venue.engine,
    sequencer: venue.sequencer(),
    history: venue.history(),
    limits: DEFAULT_LIMITS,
    venueInterface: VENUE_INTERFACES["2019"],
    checksTimeTwice: false,
    orderLimiter: new OrderLimiter(DEFAULT_LIMITS, () => ({ ordersInWindow: () => 0 }), NOTHING_SAVED),
    ids: new RandomIds(MACHINE),
    walletPorts: venue.walletPorts(),
  };
  const incoming = { ip, wallMs: venue.nowMs } as unknown as Call["incoming"];
  const fields = { incoming, endpoint, values, apiKey, session: SESSION, nowMs: venue.nowMs };
  try {
    const result = HANDLERS[endpoint.id](new Call(owner, parts, fields));
    if (result !== DEFERRED) await result;
  } catch (error) {
    assert(error instanceof Refused, `${endpoint.id}: ${(error as Error).stack}`);
  }
  return values.read;
}

test("every parameter of every endpoint is read by its handler, or is listed with the reason", async () => {
  const ignored: string[] = [];
  for (const endpoint of new Set([...ENDPOINTS, ...METHODS])) {
    for (const parameter of endpoint.parameters) {
      const read = await readBy(endpoint, parameter);
      if (!read.has(parameter.name)) ignored.push(`${endpoint.id} ${parameter.name}`);
    }
  }
  assert.deepEqual(ignored.sort(), Object.keys(UNREAD).sort());
});
