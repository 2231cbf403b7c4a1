/** What is sent without being asked for: what it costs in the turns that it takes. */
import assert from "node:assert/strict";
import { AllTickersStream, type MarketContext, Turns, UserStreams } from "@pricetime/server/parts";
import { type DearVenue, MID_TICKS, QUIET } from "./dear-venue.ts";
import { type Cost, least } from "./probe.ts";

export interface HeardRow extends Cost {
  readonly name: string;
  readonly what: string;
}

export async function measureHeard(venue: DearVenue, rounds: number): Promise<readonly HeardRow[]> {
  const [tickers, account]: [Cost[], Cost[]] = [[], []];
  const askTickers = allTickers(venue);
  const askAccount = accountOf(venue);
  for (let round = 0; round < rounds; round++) {
    tickers.push(await askTickers());
    account.push(await askAccount());
  }
  return [
    { name: "!ticker@arr", what: "a second in which every symbol changed", ...least(tickers) },
    { name: "outboundAccountInfo", what: "an order of an account with 1,000 assets", ...least(account) },
  ];
}

function allTickers(venue: DearVenue): () => Promise<Cost> {
  const { engine, maker } = venue;
  let told: (payload: string) => void = () => {};
  const context = {
    engine,
    turns: new Turns({ soon: (next) => void setImmediate(() => venue.probe.stretch(next)) }),
    publisher: { publish: (_: string, payload: string) => told(payload) },
    nowMs: () => venue.nowMs,
  };
  const stream = new AllTickersStream("!ticker@arr", context as unknown as MarketContext, "ticker", 1000);
  for (const market of engine.markets()) stream.add(market);
  let ticks = MID_TICKS / 2;
  return async () => {
    ticks++;
    for (const { symbolId } of engine.markets()) venue.place(maker, symbolId, "SELL", MID_TICKS + 49 - (ticks % 40));
    return venue.probe.cost((done) => {
      told = (payload) => {
        assert.ok(payload.length > 100_000, payload.slice(0, 100));
        done();
      };
      stream.flush();
    });
  };
}

function accountOf(venue: DearVenue): () => Promise<Cost> {
  const { engine, owner } = venue;
  const publisher = { hasSubscribers: () => false, publish: () => undefined, end: () => undefined };
  const streams = new UserStreams({ engine, publisher, nowMs: () => venue.nowMs });
  let heard = 0;
  streams.subscribe(owner.accountId, (event) => (heard += event.length));
  return () => {
    venue.place(owner, QUIET, "BUY", MID_TICKS / 2);
    const events = venue.lastEvents;
    heard = 0;
    return venue.probe.cost((done) => {
      streams.applied(events);
      assert.ok(heard > 30_000, `${heard}`);
      done();
    });
  };
}
