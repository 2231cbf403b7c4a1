/**
 * Weighted average cost: what an account paid on average for what it holds of each asset, and its profit when it gave
 * some of it away. All amounts are integers in units of their assets, values in units of the asset of values. Parts of
 * a cost are rounded towards zero.
 */

interface Amount {
  readonly assetId: number;
  readonly amount: bigint;
}

/**
 * A change of what an account holds. `in`: the amount came in at this value, such as a deposit. `out`: the amount left
 * at its cost, without a profit, such as a withdrawal. `fee`: the amount was paid for nothing, so its cost is a loss.
 * `swap`: a trade, after its commission. A value is null if it is not known.
 */
export type Movement =
  | ({ readonly kind: "in"; readonly value: bigint | null } & Amount)
  | ({ readonly kind: "out" | "fee" } & Amount)
  | { readonly kind: "swap"; readonly gave: Amount; readonly got: Amount; readonly value: bigint | null };

export interface Position {
  /** Negative only while the account has given away more than is known to have come in. */
  readonly quantity: bigint;
  /** The cost of the quantity. */
  readonly cost: bigint;
  /** If false, some of the quantity came in at an unknown value, so the cost is not known until all of it has left. */
  readonly isCostKnown: boolean;
  readonly realized: bigint;
  /** If false, the realized profit leaves out amounts whose cost or value is not known. */
  readonly isRealizedComplete: boolean;
}

type MutablePosition = { -readonly [Name in keyof Position]: Position[Name] };

const nothing = (): MutablePosition => ({
  ...{ quantity: 0n, cost: 0n, isCostKnown: true },
  ...{ realized: 0n, isRealizedComplete: true },
});

export class AverageCost {
  readonly #positions = new Map<number, MutablePosition>();

  /** The assets that the account has ever held. */
  get positions(): ReadonlyMap<number, Position> {
    return this.#positions;
  }

  /** Applies a movement. Movements are in order of time. */
  add(movement: Movement): void {
    switch (movement.kind) {
      case "in":
        return this.#take(movement, movement.value);
      case "out":
        this.#give(movement);
        return undefined;
      case "fee":
        return this.#realize(movement, 0n);
      case "swap":
        this.#realize(movement.gave, movement.value);
        return this.#take(movement.got, movement.value);
    }
  }

  #of(assetId: number): MutablePosition {
    let position = this.#positions.get(assetId);
    if (position === undefined) {
      position = nothing();
      this.#positions.set(assetId, position);
    }
    return position;
  }

  #take({ assetId, amount }: Amount, value: bigint | null): void {
    if (amount === 0n) return;
    const position = this.#of(assetId);
    position.quantity += amount;
    if (value === null) position.isCostKnown = false;
    else position.cost += value;
    settle(position);
  }

  #realize(given: Amount, value: bigint | null): void {
    if (given.amount === 0n) return;
    const cost = this.#give(given);
    const position = this.#of(given.assetId);
    if (cost === null || value === null) position.isRealizedComplete = false;
    else position.realized += value - cost;
  }

  /** Takes an amount and its part of the cost out of the position. Returns that part; null if it is not known. */
  #give({ assetId, amount }: Amount): bigint | null {
    const position = this.#of(assetId);
    const { quantity, cost } = position;
    if (amount > quantity) position.isCostKnown = false;
    const { isCostKnown } = position;
    const part = isCostKnown && quantity > 0n ? (cost * amount) / quantity : 0n;
    position.quantity -= amount;
    position.cost -= part;
    settle(position);
    return isCostKnown ? part : null;
  }
}

/** A position that is empty, or of unknown cost, has no cost. */
function settle(position: MutablePosition): void {
  if (position.quantity === 0n) position.isCostKnown = true;
  if (position.quantity === 0n || !position.isCostKnown) position.cost = 0n;
}
