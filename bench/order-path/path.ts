/** Rounds of orders against the real program: resting LIMIT, cancel, filling LIMIT; and an echo of the same bytes. */
import assert from "node:assert/strict";
import { metric } from "@pricetime/testkit/venue";
import { type Echo, LoadProcess, startEcho } from "../load/load.ts";
import type { LoadOrder, LoadResult } from "../load/messages.ts";
import type { Requests } from "../load/requests.ts";
import { SYMBOL } from "../venue/listing.ts";
import { type ThreadTimes, threadTimes, timesSince } from "../venue/threads.ts";
import { type Venue, withVenue } from "../venue/venue.ts";

const QUANTITY = "0.010000";
/** The price of resting sells, which buys at the same price fill. */
const HIGH_CENTS = 5_000_000;
const LOW_CENTS = 4_000_000;
const PRICES = 200;
const WARM_UP: Round = { connections: 64, count: 8000 };

export const PHASES = ["rests", "fills", "cancel"] as const;
export type Phase = (typeof PHASES)[number] | "echo";
const EXPECTED: Readonly<Record<Phase, string>> = {
  rests: '"status":"NEW"',
  cancel: '"status":"CANCELED"',
  fills: '"status":"FILLED"',
  echo: "signature=",
};

/** The results of one phase, one per round. */
export interface PhaseRounds {
  readonly results: LoadResult[];
  /** Milliseconds of each server thread per request. */
  readonly cpu: ThreadTimes[];
}
export type Rounds = ReadonlyMap<Phase, PhaseRounds>;

export interface Round {
  readonly connections: number;
  /** The requests of each phase. */
  readonly count: number;
  /** As in `LoadOrder`. */
  readonly perSecond?: number;
  readonly apart?: boolean;
}

export class OrderPath {
  readonly #venue: Venue;
  readonly #echo: Echo;
  readonly #load: LoadProcess;
  readonly #accounts: number;
  #rounds: Rounds = noRounds();
  #number = 0;

  constructor(venue: Venue, echo: Echo, load: LoadProcess, accounts: number) {
    this.#venue = venue;
    this.#echo = echo;
    this.#load = load;
    this.#accounts = accounts;
  }

  /** The results since the last call. */
  take(): Rounds {
    const rounds = this.#rounds;
    this.#rounds = noRounds();
    return rounds;
  }

  /** Sends one request of every account: the node decrypts a secret at its first use and then keeps it. */
  async greet(): Promise<void> {
    const requests = { kind: "get", path: "/api/v3/openOrders", query: `symbol=${SYMBOL}`, signed: true } as const;
    const all = { ...requests, count: this.#accounts };
    const how = { connections: Math.min(64, this.#accounts), perSecond: 0, warmUp: 0, expected: "[]" };
    await this.#load.run({ port: this.#venue.port, accounts: this.#accounts, marker: "", requests: all, ...how });
  }

  /** Echo; resting buys; their cancels; resting sells; buys that fill them. */
  async round({ connections, count, perSecond = 0, apart = false }: Round): Promise<void> {
    const how = { connections, perSecond, apart, warmUp: perSecond > 0 ? Math.floor(count / 10) : 0 };
    const orders = { kind: "place", symbol: SYMBOL, quantity: QUANTITY, count } as const;
    const low = { ...orders, side: "BUY", priceCents: LOW_CENTS, prices: PRICES } as const;
    const resting = { ...low, firstNumber: this.#takeNumbers(count) };
    await this.#phase("echo", resting, how);
    await this.#phase("rests", resting, how);
    await this.#phase("cancel", { ...resting, kind: "cancel" }, how);
    const high = { ...orders, priceCents: HIGH_CENTS, prices: 1 } as const;
    await this.#phase("rests", { ...high, side: "SELL", firstNumber: this.#takeNumbers(count) }, how);
    // Shifts the numbers by one, so that no account fills its own orders.
    this.#takeNumbers(1);
    await this.#phase("fills", { ...high, side: "BUY", firstNumber: this.#takeNumbers(count) }, how);
  }

  async #phase(
    phase: Phase,
    requests: Requests,
    how: Pick<LoadOrder, "connections" | "perSecond" | "apart" | "warmUp">,
  ): Promise<void> {
    const port = phase === "echo" ? this.#echo.port : this.#venue.port;
    const before = threadTimes(this.#venue.pid);
    const order = { port, accounts: this.#accounts, marker: "b", requests, expected: EXPECTED[phase], ...how };
    const result = await this.#load.run(order);
    const { results, cpu } = this.#rounds.get(phase) as PhaseRounds;
    results.push(result);
    cpu.push(perRequest(timesSince(before, threadTimes(this.#venue.pid)), result.answered));
  }

  #takeNumbers(count: number): number {
    const first = this.#number;
    this.#number += count;
    return first;
  }
}

function noRounds(): Rounds {
  return new Map((["echo", ...PHASES] as const).map((phase) => [phase, { results: [], cpu: [] }]));
}

function perRequest(times: ThreadTimes, requests: number): ThreadTimes {
  const part = (ms: number): number => ms / requests;
  return new Map(
    [...times].map(([name, time]) => [name, { userMs: part(time.userMs), systemMs: part(time.systemMs) }]),
  );
}

/** Starts everything that a round needs; checks at the end that all orders were filled or canceled as expected. */
export async function withOrderPath<Result>(
  accounts: number,
  measure: (path: OrderPath, venue: Venue) => Promise<Result>,
): Promise<Result> {
  const echo = await startEcho();
  const load = new LoadProcess();
  try {
    return await withVenue({ accounts, keys: accounts }, async (venue) => {
      const path = new OrderPath(venue, echo, load, accounts);
      await path.greet();
      await path.round(WARM_UP);
      path.take();
      const result = await measure(path, venue);
      // Every sell was filled and every resting buy canceled, so no order is open.
      assert.equal(await metric(venue, "pricetime_open_orders"), 0);
      return result;
    });
  } finally {
    load.stop();
    echo.stop();
  }
}
