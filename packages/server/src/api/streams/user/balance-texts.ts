/**
 * The balances of an account as sent to its listeners. Each change sends all that are not zero: the account may have a
 * thousand assets, so the text of each is remade only when it changes.
 */
import type { EngineView } from "@pricetime/engine";
import { amountText } from "../../../history/shapes/amounts.ts";

interface Told {
  readonly free: bigint;
  readonly locked: bigint;
  readonly json: string;
}

export class BalanceTexts {
  readonly #accountId: number;
  /** Texts by asset id; undefined for zero balances. */
  readonly #told: (Told | undefined)[] = [];

  constructor(accountId: number) {
    this.#accountId = accountId;
  }

  /** All assets that are not zero, and those that `isTold` includes anyway. */
  all(engine: EngineView, isTold: (assetId: number) => boolean): string {
    const told: string[] = [];
    for (const { assetId } of engine.assets()) {
      const { free, locked } = engine.balance(this.#accountId, assetId);
      if (free !== 0n || locked !== 0n || isTold(assetId)) told.push(this.#json(engine, assetId, free, locked));
    }
    return `[${told.join(",")}]`;
  }

  some(engine: EngineView, assetIds: readonly number[]): string {
    const told = assetIds.map((assetId) => {
      const { free, locked } = engine.balance(this.#accountId, assetId);
      return this.#json(engine, assetId, free, locked);
    });
    return `[${told.join(",")}]`;
  }

  #json(engine: EngineView, assetId: number, free: bigint, locked: bigint): string {
    const told = this.#told[assetId];
    if (told !== undefined && told.free === free && told.locked === locked) return told.json;
    const [f, l] = [amountText(engine, assetId, free), amountText(engine, assetId, locked)];
    const json = `{"a":"${engine.asset(assetId).spec.asset}","f":"${f}","l":"${l}"}`;
    this.#told[assetId] = free === 0n && locked === 0n ? undefined : { free, locked, json };
    return json;
  }
}
