/**
 * The balances of an account as its listeners are told them. All that are not zero are told with each
 * change of one: of an account with a thousand assets, the text of each is made when it is another.
 */
import type { EngineView } from "@pricetime/engine";
import { amountText } from "../../shapes/amounts.ts";

interface Told {
  readonly free: bigint;
  readonly locked: bigint;
  readonly json: string;
}

export class BalanceTexts {
  readonly #accountId: number;
  /** By asset id; of what is zero, nothing. */
  readonly #told: (Told | undefined)[] = [];

  constructor(accountId: number) {
    this.#accountId = accountId;
  }

  /** Of all assets of which there is any, and of those that `isTold` anyway. */
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
