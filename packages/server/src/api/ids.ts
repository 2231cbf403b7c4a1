/** Random identifiers: client order ids, listen keys, withdrawal ids. */
import { z } from "zod";
import { type Clock, type Dice, LETTERS_AND_DIGITS, type Saves } from "../platform/world/port.ts";

/** Letters and digits in ascending order of their character codes. */
const SORTED_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CLIENT_ORDER_ID_LENGTH = 22;
const LISTEN_KEY_LENGTH = 64;
const WITHDRAWAL_ID_BYTES = 16;

/** Number of random bytes generated at a time. */
const POOL_BYTES = 8192;
/** Number of characters of the encoded time: enough until the year 8888. */
const TIME_LENGTH = 8;

const SAVED = z.strictObject({ pool: z.base64().max(POOL_BYTES * 2) });

/** Generates the identifiers that clients did not choose. */
export interface Ids {
  /**
   * 22 letters and digits (Interface 1.12). They begin with the time, so that new rows are added at the end of the
   * history's index.
   */
  clientOrderId(): string;
  /** 64 letters and digits (Interface 3.7). */
  listenKey(): string;
  /** 32 hex digits. */
  withdrawalId(): string;
}

export class RandomIds implements Ids {
  readonly #world: Clock & Dice;
  #pool: Buffer;
  #taken = 0;
  #timeMs = -1;
  #timeText = "";

  constructor(world: Clock & Dice & Saves) {
    this.#world = world;
    // The unused random bytes. Only a lab saves them, and its random source is not secret.
    const save = () => ({ pool: this.#pool.subarray(this.#taken).toString("base64") });
    this.#pool = Buffer.from(world.saved.restore("gateway/ids", SAVED, save)?.pool ?? "", "base64");
  }

  clientOrderId(): string {
    return this.#time() + this.#text(CLIENT_ORDER_ID_LENGTH - TIME_LENGTH);
  }

  listenKey(): string {
    return this.#text(LISTEN_KEY_LENGTH);
  }

  withdrawalId(): string {
    return this.#world.randomBytes(WITHDRAWAL_ID_BYTES).toString("hex");
  }

  #byte(): number {
    if (this.#taken === this.#pool.length) {
      this.#pool = this.#world.randomBytes(POOL_BYTES);
      this.#taken = 0;
    }
    const byte = this.#pool[this.#taken] as number;
    // Erase the byte, so that identifiers cannot be read from memory later.
    this.#pool[this.#taken++] = 0;
    return byte;
  }

  #text(length: number): string {
    let text = "";
    while (text.length < length) {
      // 6 bits select one of 62 characters. The two remaining values are discarded, so that all characters have the
      // same probability.
      const place = this.#byte() & 63;
      if (place < LETTERS_AND_DIGITS.length) text += LETTERS_AND_DIGITS[place];
    }
    return text;
  }

  #time(): string {
    const timeMs = this.#world.nowMs();
    if (this.#timeMs === timeMs) return this.#timeText;
    let text = "";
    for (let left = timeMs; text.length < TIME_LENGTH; left = Math.floor(left / SORTED_ALPHABET.length)) {
      text = (SORTED_ALPHABET[left % SORTED_ALPHABET.length] as string) + text;
    }
    this.#timeMs = timeMs;
    this.#timeText = text;
    return text;
  }
}
