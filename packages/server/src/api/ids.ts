/** Random identifiers of letters and digits: client order ids and listen keys. */
import { randomFillSync } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/** In the order in which texts compare. */
const SORTED_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CLIENT_ORDER_ID_LENGTH = 22;
const LISTEN_KEY_LENGTH = 64;

/** Random bytes are drawn this many at a time. */
const POOL_BYTES = 8192;
const pool = Buffer.alloc(POOL_BYTES);
let taken = POOL_BYTES;

function randomByte(): number {
  if (taken === POOL_BYTES) {
    randomFillSync(pool);
    taken = 0;
  }
  const byte = pool[taken] as number;
  // What was given out must not be readable from here later.
  pool[taken++] = 0;
  return byte;
}

function randomText(length: number): string {
  let text = "";
  while (text.length < length) {
    // 6 bits choose one of 62: the two values left over are thrown away, so that each is as likely.
    const place = randomByte() & 63;
    if (place < ALPHABET.length) text += ALPHABET[place];
  }
  return text;
}

/** The time in so many letters and digits: enough until the year 8888. */
const TIME_LENGTH = 8;

let prefix = { timeMs: -1, text: "" };

function timeText(timeMs: number): string {
  if (prefix.timeMs === timeMs) return prefix.text;
  let text = "";
  for (let left = timeMs; text.length < TIME_LENGTH; left = Math.floor(left / SORTED_ALPHABET.length)) {
    text = (SORTED_ALPHABET[left % SORTED_ALPHABET.length] as string) + text;
  }
  prefix = { timeMs, text };
  return text;
}

/** What makes the identifiers that clients leave to us. */
export interface Ids {
  clientOrderId(): string;
  listenKey(): string;
}

/**
 * 22 letters and digits (Interface 1.12). They begin with the time, so that the
 * index of history grows at its end and not all over.
 */
function newClientOrderId(): string {
  return timeText(Date.now()) + randomText(CLIENT_ORDER_ID_LENGTH - TIME_LENGTH);
}

/** 64 letters and digits (Interface 3.7). */
function newListenKey(): string {
  return randomText(LISTEN_KEY_LENGTH);
}

export const RANDOM_IDS: Ids = { clientOrderId: newClientOrderId, listenKey: newListenKey };
