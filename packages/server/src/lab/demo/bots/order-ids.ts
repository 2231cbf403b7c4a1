/** Client order ids of a lab's bots, of the form that the gateway gives: 22 letters and digits that begin with the time. */
import { LETTERS_AND_DIGITS } from "../../../platform/world/port.ts";
import type { Keeping, KeptValue } from "../../../platform/world/kept.ts";
import { Random } from "./random.ts";

const TIME_LETTERS = 8;
/** Letters from each number of 32 bits, as many as it holds; one letter less the last time. */
const LETTERS = [5, 5, 4] as const;

export class OrderIds implements Keeping {
  readonly #random: Random;
  #timeMs = -1;
  #timeText = "";

  /** `name` gives each user of one seed ids of its own. */
  constructor(seed: number, kept?: KeptValue, name = "order ids") {
    this.#random = new Random(seed, name, kept);
  }

  kept(): KeptValue {
    return this.#random.kept();
  }

  next(nowMs: number): string {
    if (nowMs !== this.#timeMs) {
      this.#timeMs = nowMs;
      this.#timeText = lettersOf(nowMs, TIME_LETTERS);
    }
    let id = this.#timeText;
    for (const count of LETTERS) id += lettersOf(this.#random.bits(), count);
    return id;
  }
}

function lettersOf(value: number, count: number): string {
  let [text, left] = ["", value];
  for (let letter = 0; letter < count; letter++) {
    text = (LETTERS_AND_DIGITS[left % LETTERS_AND_DIGITS.length] as string) + text;
    left = Math.floor(left / LETTERS_AND_DIGITS.length);
  }
  return text;
}
