/** The account's balances, from a snapshot and the events after it. */
import { type ReadonlySignal, signal } from "@preact/signals";
import { formatDecimal } from "../exact/decimal.ts";
import { Throttle } from "../wire/throttle.ts";
import type { World } from "../wire/world.ts";
import { LEAST_BETWEEN_ROWS_MS } from "./own-orders.ts";
import type { Account, Balance } from "./port.ts";

export interface AccountAnswer {
  readonly makerCommission: number;
  readonly takerCommission: number;
  readonly updateTime: number;
  readonly balances: readonly Balance[];
}

/** outboundAccountInfo and outboundAccountPosition (Interface 6.1, 6.2). */
export interface BalancesEvent {
  readonly e: "outboundAccountInfo" | "outboundAccountPosition";
  readonly u: number;
  readonly m?: number;
  readonly t?: number;
  readonly B: readonly { readonly a: string; readonly f: string; readonly l: string }[];
}

/** Rates are told in hundredths of a percent. */
const RATE_DIGITS = 4;
const rateOf = (basisPoints: number): string => formatDecimal({ units: BigInt(basisPoints), digits: RATE_DIGITS });

export class OwnBalances {
  readonly #shown = signal<ReadonlyMap<string, Balance>>(new Map());
  readonly #commission = signal<Account["commission"]["value"]>(null);
  readonly #balances = new Map<string, Balance>();
  readonly #throttle: Throttle;
  #asOfMs = 0;

  constructor(world: World) {
    this.#throttle = new Throttle(world, LEAST_BETWEEN_ROWS_MS, () => (this.#shown.value = new Map(this.#balances)));
  }

  get shown(): ReadonlySignal<ReadonlyMap<string, Balance>> {
    return this.#shown;
  }

  get commission(): Account["commission"] {
    return this.#commission;
  }

  close(): void {
    this.#throttle.stop();
  }

  replace({ makerCommission, takerCommission, updateTime, balances }: AccountAnswer): void {
    this.#asOfMs = updateTime;
    this.#balances.clear();
    for (const { asset, free, locked } of balances) this.#balances.set(asset, { asset, free, locked });
    this.#commission.value = { maker: rateOf(makerCommission), taker: rateOf(takerCommission) };
    this.#throttle.now();
  }

  /** Events come in order; only one that a snapshot has overtaken is older than what is known. */
  fold({ u, m, t, B }: BalancesEvent): void {
    if (m !== undefined && t !== undefined) this.#rates(rateOf(m), rateOf(t));
    if (u < this.#asOfMs) return;
    this.#asOfMs = u;
    for (const { a, f, l } of B) this.#balances.set(a, { asset: a, free: f, locked: l });
    this.#throttle.ask();
  }

  #rates(maker: string, taker: string): void {
    const known = this.#commission.value;
    if (known?.maker !== maker || known.taker !== taker) this.#commission.value = { maker, taker };
  }
}
