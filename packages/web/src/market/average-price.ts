/** The average price of five minutes, which filters compare with (Interface 2.8): no stream tells it. */
import type { Rest } from "../wire/rest.ts";
import { untilDone } from "../wire/retry.ts";
import type { World } from "../wire/world.ts";
import { decimal, isZero } from "../exact/decimal.ts";

const ASK_EVERY_MS = 30_000;
/** Somebody who walks through the markets asks for none of them. */
const FIRST_AFTER_MS = 300;

export class AveragePrice {
  #cancel = (): void => {};

  /** `publish` is told null where nothing was ever traded. */
  constructor(rest: Rest, world: World, symbol: string, publish: (price: string | null) => void) {
    const ask = (): void => {
      this.#cancel = untilDone(world, async (isWanted) => {
        const { price } = await rest.get<{ readonly price: string }>("/api/v3/avgPrice", { symbol });
        if (!isWanted()) return;
        publish(isZero(decimal(price)) ? null : price);
        this.#cancel = world.after(ASK_EVERY_MS, ask);
      });
    };
    this.#cancel = world.after(FIRST_AFTER_MS, ask);
  }

  close(): void {
    this.#cancel();
  }
}
