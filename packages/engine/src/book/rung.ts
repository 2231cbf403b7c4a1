/**
 * A stretch of a ladder: levels that are next to each other, few enough that a new one is put between
 * two others in a short move, however many the ladder has.
 */
import type { Level } from "./level.ts";

/** Levels of a rung; a full one is split in two. */
export const RUNG_LEVELS = 64;

export class Rung {
  /** The keys of the levels, side by side for the search; ascending. */
  private readonly keys = new Float64Array(RUNG_LEVELS);
  private readonly levels: Level[] = [];

  get size(): number {
    return this.levels.length;
  }
  get isFull(): boolean {
    return this.levels.length === RUNG_LEVELS;
  }
  get firstKey(): number {
    return this.keys[0] as number;
  }
  get last(): Level | undefined {
    return this.levels[this.levels.length - 1];
  }
  at(index: number): Level {
    return this.levels[index] as Level;
  }

  /** The first place whose key is not lower; `size` when all are. */
  indexOf(key: number): number {
    const { keys } = this;
    let low = 0;
    let high = this.levels.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((keys[middle] as number) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether the place that `indexOf` gave has the key itself. */
  holds(index: number, key: number): boolean {
    return index < this.levels.length && this.keys[index] === key;
  }

  insert(index: number, key: number, level: Level): void {
    const { keys, levels } = this;
    levels.push(level);
    for (let i = levels.length - 1; i > index; i--) {
      keys[i] = keys[i - 1] as number;
      levels[i] = levels[i - 1] as Level;
    }
    keys[index] = key;
    levels[index] = level;
  }

  remove(index: number): void {
    const { keys, levels } = this;
    for (let i = index + 1; i < levels.length; i++) {
      keys[i - 1] = keys[i] as number;
      levels[i - 1] = levels[i] as Level;
    }
    levels.pop();
  }

  /** Moves the upper half into a rung of its own. */
  split(): Rung {
    const upper = new Rung();
    const half = this.levels.length >>> 1;
    for (let i = half; i < this.levels.length; i++) upper.insert(i - half, this.keys[i] as number, this.at(i));
    this.levels.length = half;
    return upper;
  }
}
