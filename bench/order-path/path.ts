/** Rounds of orders against the real program: resting LIMIT, cancel, filling LIMIT; and an echo of the same bytes. */
import assert from "node:assert/strict";
import { type ThreadTimes, threadTimes, timesSince } from "@pricetime/testkit/process-usage";
import { metric } from "@pricetime/testkit/venue";
import { type BareServer, LoadProcess, startBareServer } from "../load/load.ts";
import type { LoadOrder, LoadResult } from "../load/messages.ts";
import type { Requests } from "../load/requests.ts";
import { SYMBOL } from "../venue/listing.ts";
import { type Venue, withVenue } from "../venue/venue.ts";

const QUANTITY = "0.010000";
/** The price of resting sells, which buys at the same price fill. */
const HIGH_CENTS = 5_000_000;
const LOW_CENTS = 4_000_000;
const PRICES = 200;
const WARM_UP: Round = { connections: 64, count: 8000 };

export const PHASES = ["rests", "fills", "cancel"] as const;
export type Phase = (typeof PHASES)[number] | "echo";
export const EXPECTED: Readonly<Record<Phase, string>> = {
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

/** The numbers that a round of so many requests in each phase uses up. */
export const numbersOf = (count: number): number => 3 * count + 1;

/** Resting buys; their cancels; resting sells; buys that fill them. */
export function phasesOf(
  firstNumber: number,
  count: number,
): readonly (readonly [phase: Exclude<Phase, "echo">, requests: Exclude<Requests, { kind: "get" }>])[] {
  const order = { kind: "place", symbol: SYMBOL, quantity: QUANTITY, count } as const;
  const low = { ...order, side: "BUY", priceCents: LOW_CENTS, prices: PRICES, firstNumber } as const;
  const high = { ...order, priceCents: HIGH_CENTS, prices: 1 } as const;
  return [
    ["rests", low],
    ["cancel", { kind: "cancel", symbol: SYMBOL, firstNumber, count }],
    ["rests", { ...high, side: "SELL", firstNumber: firstNumber + count }],
    // The numbers are shifted by one, so that no account fills its own orders.
    ["fills", { ...high, side: "BUY", firstNumber: firstNumber + 2 * count + 1 }],
  ];
}

export class OrderPath {
  readonly #venue: Venue;
  readonly #echo: BareServer;
  readonly #load: LoadProcess;
  readonly #accounts: number;
  #rounds: Rounds = noRounds();
  #number = 0;

  constructor(venue: Venue, echo: BareServer, load: LoadProcess, accounts: number) {
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
    const accounts = this.#accounts;
    const get = { kind: "get", path: "/api/v3/openOrders", parameters: { symbol: SYMBOL }, signed: true } as const;
    const how = { port: this.#venue.port, accounts, connections: Math.min(64, accounts), expected: "[]" };
    await this.#load.run({ ...how, requests: { ...get, count: accounts } });
  }

  /** The echo of the first phase's requests, then the phases. */
  async round({ connections, count, perSecond = 0, apart = false }: Round): Promise<void> {
    const how = { connections, perSecond, apart, warmUp: perSecond > 0 ? Math.floor(count / 10) : 0 };
    const phases = phasesOf(this.#number, count);
    this.#number += numbersOf(count);
    for (const [, requests] of phases.slice(0, 1)) await this.#phase("echo", requests, how);
    for (const [phase, requests] of phases) await this.#phase(phase, requests, how);
  }

  async #phase(
    phase: Phase,
    requests: Requests,
    how: Pick<LoadOrder, "connections" | "perSecond" | "apart" | "warmUp">,
  ): Promise<void> {
    const { port } = phase === "echo" ? this.#echo : this.#venue;
    const before = threadTimes(this.#venue.pid);
    const result = await this.#load.run({
      port,
      accounts: this.#accounts,
      requests,
      expected: EXPECTED[phase],
      ...how,
    });
    const { results, cpu } = this.#rounds.get(phase) as PhaseRounds;
    results.push(result);
    cpu.push(perRequest(timesSince(before, threadTimes(this.#venue.pid)), result.answered));
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
  const echo = await startBareServer();
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
