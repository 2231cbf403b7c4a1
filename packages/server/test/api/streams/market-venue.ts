/** An exchange whose market streams record their messages. The test sets the clock; timers are real. */
import { VENUE_INTERFACES } from "@pricetime/protocol";
import assert from "node:assert/strict";
import { afterEach } from "node:test";
import type { TestContext } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { Turns } from "../../../src/api/answers/long-list.ts";
import { MarketStreams } from "../../../src/api/streams/market/market-streams.ts";
import type { Publisher } from "../../../src/api/streams/port.ts";
import type { Parameters } from "@pricetime/testkit/client";
import { type TestKey, TestVenue } from "@pricetime/testkit/gateway-venue";
import type { Message } from "./user-venue.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

const venues = new Set<MarketVenue>();
/** Streams with subscribers keep their timers. */
afterEach(() => {
  for (const venue of venues) venue.hushAll();
  venues.clear();
});

export class MarketVenue extends TestVenue implements Publisher {
  readonly published = new Map<string, Message[]>();
  readonly streams = new MarketStreams({
    world: MACHINE,
    turns: new Turns(MACHINE),
    engine: this.engine,
    history: this.history(),
    publisher: this,
    log: { error: (fields) => this.bugs.push(fields) },
    nowMs: () => Math.max(this.nowMs, this.engine.timeMs),
    venueInterface: VENUE_INTERFACES["2019"],
    settledMs: () => Math.max(this.nowMs, this.engine.timeMs),
  });

  constructor(startMs?: number) {
    super({}, startMs);
    venues.add(this);
    this.followers.add(this.streams);
  }

  /** Collects the messages of a stream from now on. */
  record(name: string): Message[] {
    const messages: Message[] = [];
    this.published.set(name, messages);
    this.streams.opened(name);
    return messages;
  }

  hush(name: string): void {
    this.published.delete(name);
    this.streams.closed(name);
  }

  hushAll(): void {
    for (const name of [...this.published.keys()]) this.hush(name);
  }

  hasSubscribers(name: string): boolean {
    return this.published.has(name);
  }
  publish(name: string, payload: string): void {
    const messages = this.published.get(name);
    assert.ok(messages !== undefined, `${name} is published though nobody hears it`);
    messages.push(JSON.parse(payload) as Message);
  }
  end(): void {
    assert.fail("market streams do not end");
  }

  /** Places a LIMIT order that must be accepted; returns its id. */
  async limit(
    side: "BUY" | "SELL",
    price: string,
    quantity: string,
    key?: TestKey,
    more?: Parameters,
  ): Promise<number> {
    return this.place({ side, type: "LIMIT", timeInForce: "GTC", price, quantity, ...more }, key);
  }

  async place(parameters: Parameters, key: TestKey = this.maker): Promise<number> {
    const answer = await this.order({ symbol: "BTCUSDT", newOrderRespType: "ACK", ...parameters }, { key });
    assert.equal(answer.status, 200, JSON.stringify(answer.json));
    return answer.json.orderId;
  }
}

/** Mocks timers, so that periodic messages are sent only on `t.mock.timers.tick`. */
export function beatsByHand(t: TestContext): void {
  t.mock.timers.enable({ apis: ["setInterval"] });
}

/** Waits until there are this many messages. */
export async function untilHeard(messages: readonly Message[], count: number): Promise<void> {
  await until(`${count} messages`, () => messages.length >= count);
}
