/** What was last told of one account, and what has changed since. */
import { type AccountView, type EngineView, formatDecimal } from "@pricetime/engine";
import type { Seen } from "./record.ts";

/** Amounts in units of the asset, by its number. */
type Amounts = ReadonlyMap<number, bigint>;

export class AccountWatch {
  readonly email: string;
  readonly #view: EngineView;
  readonly #accountId: number;
  readonly #told = new Map<number, { readonly free: bigint; readonly locked: bigint }>();
  #openOrders = "";
  #isNew = true;

  constructor(view: EngineView, { accountId, email }: AccountView) {
    this.#view = view;
    this.#accountId = accountId;
    this.email = email;
  }

  /** `traded`: what trades have brought and cost in the meantime. All that is more has come from elsewhere. */
  changes(traded: Amounts): readonly Seen[] {
    const isFirst = this.#isNew;
    this.#isNew = false;
    const changes = this.#view.assets().flatMap(({ assetId }) => this.#change(assetId, traded, isFirst));
    return [...changes, ...this.#orders()];
  }

  #change(assetId: number, traded: Amounts, isFirst: boolean): readonly Seen[] {
    const { spec } = this.#view.asset(assetId);
    const { free, locked } = this.#view.balance(this.#accountId, assetId);
    const before = this.#told.get(assetId) ?? { free: 0n, locked: 0n };
    if (before.free === free && before.locked === locked) return [];
    this.#told.set(assetId, { free, locked });
    const text = (units: bigint): string => formatDecimal(units, spec.precision);
    const [account, asset] = [this.email, spec.asset];
    const moved = isFirst ? 0n : free + locked - before.free - before.locked - (traded.get(assetId) ?? 0n);
    return [
      ...(moved === 0n ? [] : [{ kind: "moved", account, asset, amount: text(moved) } as const]),
      { kind: "balance", account, asset, free: text(free), locked: text(locked) },
    ];
  }

  #orders(): readonly Seen[] {
    const count: Record<string, number> = {};
    this.#view.visitOpenOrders(this.#accountId, undefined, ({ symbolId }) => {
      const { symbol } = this.#view.market(symbolId).spec;
      count[symbol] = (count[symbol] ?? 0) + 1;
    });
    const sorted = Object.fromEntries(Object.entries(count).toSorted(([one], [other]) => (one < other ? -1 : 1)));
    const text = JSON.stringify(sorted);
    if (text === this.#openOrders) return [];
    this.#openOrders = text;
    return [{ kind: "openOrders", account: this.email, count: sorted }];
  }
}
