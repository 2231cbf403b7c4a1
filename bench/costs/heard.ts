/** The cost of stream messages, in each turn of the event loop that sends them. */
import assert from "node:assert/strict";
import { MACHINE, AllTickersStream, type MarketContext, Turns, UserStreams } from "@pricetime/server/parts";
import { type DearVenue, MID_TICKS, QUIET } from "./dear-venue.ts";
import { type Cost, least } from "./probe.ts";

export interface HeardRow extends Cost {
  readonly name: string;
  readonly what: string;
}

/** Every symbol's best ask starts this many ticks above the middle; each round lowers it by one tick. */
const MOST_ROUNDS = 49;

/** Returns a function that measures a number of rounds; all calls together may use `MOST_ROUNDS`. */
export function heardOf(venue: DearVenue): (rounds: number) => Promise<readonly HeardRow[]> {
  const askTickers = allTickers(venue);
  const askAccount = accountOf(venue);
  return async (rounds) => {
    const [tickers, account]: [Cost[], Cost[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      tickers.push(await askTickers());
      account.push(await askAccount());
    }
    return [
      { name: "!ticker@arr", what: "a second in which every symbol changed", ...least(tickers) },
      { name: "outboundAccountInfo", what: "an order of an account with 1,000 assets", ...least(account) },
    ];
  };
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
  const stream = new AllTickersStream(
    "!ticker@arr",
    context as unknown as MarketContext,
    "ticker",
    1000,
    MACHINE.saved,
  );
  for (const market of engine.markets()) stream.add(market);
  let rounds = 0;
  return async () => {
    // An ask that does not improve the price changes nothing, and no message is sent.
    assert.ok(rounds++ < MOST_ROUNDS, "no round is left");
    for (const { symbolId } of engine.markets()) venue.place(maker, symbolId, "SELL", MID_TICKS + MOST_ROUNDS - rounds);
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
  const streams = new UserStreams({ engine, publisher, nowMs: () => venue.nowMs, timers: MACHINE });
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
