/** All planted bugs. */
import { ACCESS_BUGS } from "./access-bugs.ts";
import { ENGINE_BUGS, LIMIT_BUGS } from "./engine-bugs.ts";
import type { Mutation } from "./mutation.ts";
import { NODE_BUGS } from "./node-bugs.ts";
import { OUTSIDE_BUGS } from "./outside-bugs.ts";
import { TRADING_BUGS } from "./trading-bugs.ts";
import { simulate } from "../simulation.ts";

export const MUTATIONS: readonly Mutation[] = [
  ...NODE_BUGS,
  ...ENGINE_BUGS,
  ...ACCESS_BUGS,
  ...OUTSIDE_BUGS,
  ...LIMIT_BUGS,
  ...TRADING_BUGS,
];

export interface Hunt {
  /** The seed that found it; undefined if none did. */
  readonly seed: number | undefined;
  readonly violation: string | undefined;
}

/** Seeds tried, and the length of their histories. */
const MOST_SEEDS = 150;
const LENGTH = 400;

/** Seeds that find the rarer bugs, in one node and in several. Tests begin with them to save time. */
const KNOWN_SEEDS: Readonly<Record<string, number>> = {
  "a commission is not charged": 2,
  "what an operator who was disabled has proposed waits on": 3,
  "a symbol is listed although its rounding is too coarse": 3,
  "a used invitation can be used again": 2,
  "who trades carelessly is not locked": 2,
  "an operator takes all places of approval requests": 32,
  "an amended order loses its place": 146,
  "a candle leaves a trade out": 4,
  "a snapshot forgets that withdrawals are held after a recovery": 3,
  "a session that is over opens the door": 4,
  "a letter is forgotten at a restart": 4,
  "off by one in priority: an order gets in before the one that was there": 13,
  "a freeze leaves open orders": 5,
  "recorded candles that are finer than their symbol are rejected": 5,
  "an ended session lives after a snapshot": 3,
  "a sub-account's withdrawal does not count with its master's": 45,
  "a withdrawal is not counted over time": 40,
  "a withdrawal that ends unpaid still counts": 37,
  "withdrawals of other customers do not count for the limit of all": 40,
  "where the rules are off, who was locked stays so": 7,
  "a block that left the chain is not noticed": 5,
  "a depth update leaves a price out": 4,
  "a letter that the last process had not written is never written": 6,
  "a snapshot turns queues round": 4,
  "a stop order is not set off at exactly its price": 9,
  "a withdrawal that is being signed fails by an operator's word": 6,
  "a deposit that an operator reports is finer than its network's step": 9,
  "a machine that slept is taken for a clock that has leapt": 4,
  "double apply: a request whose outcome is unknown is submitted again": 4,
  "a clock that has leapt is believed": 4,
  "start without sync: what was found is shown before it is safe": 6,
  "unknown told as refused": 2,
  "a code of a secret that was taken away is good": 10,
  "a transfer under the client's own id is made again": 19,
  "trailing zeros of a deposit's amount count as digits": 40,
  "an iceberg keeps its place when its next slice shows": 4,
  "a snapshot forgets which deposits were made": 7,
  "a repeat with other contents is taken for an equal one": 3,
  "addresses that differ in upper and lower case alone are two": 3,
  "an approval survives a change of what was approved": 9,
  "a trade is not told": 13,
  "a discounted commission is paid twice": 4,
  "a trailing stop follows the price in the wrong direction": 3,
  "a pending order is not placed when its working order is filled": 4,
  "an order trades outside the price range": 37,
  "self-trade prevention takes one lot too many": 4,
  "a depth update leaves out an order that a list places": 29,
  "history loses a trade": 2,
  "an invitation goes to an address as it was typed": 3,
  "an operator who ends an account's orders leaves the newest": 3,
  "stale read: questions do not wait for history": 4,
  "a MARKET order by quote that empties a thin book is filled": 3,
  "a trade pays one unit too little": 2,
  "a user stream tells a fill twice": 5,
  "recovery skips its delay": 2,
  "a freeze leaves a session": 17,
  "a delisting leaves open orders": 21,
  "a snapshot forgets a delisting": 21,
  "a code's step can be used twice": 3,
  "a cookie that was stolen ends no session": 3,
  "a payment is sent before it is journaled": 3,
  "a silent watch is not noticed": 3,
  "a batch is removed before its author has seen it": 4,
  "a request of unknown outcome is put into another batch": 2,
  "an unknown outcome is told as refused": 2,
  "a holder's number is not looked at": 12,
  "a stale read is not refused": 12,
  "nobody looks whether the store went back": 455,
};

export function knownSeed({ name }: Pick<Mutation, "name">): number {
  return KNOWN_SEEDS[name] ?? 1;
}

/** Runs the given seed, then one seed after another, until the auditor finds the bug. */
export async function hunt({ seams, plant }: Mutation, from = 1): Promise<Hunt> {
  const takeOut = plant();
  try {
    for (const seed of new Set([from, ...Array.from({ length: MOST_SEEDS }, (_, at) => at + 1)])) {
      const { violation } = await simulate({ seed, length: LENGTH, seams });
      if (violation !== undefined) return { seed, violation };
    }
    return { seed: undefined, violation: undefined };
  } finally {
    takeOut();
  }
}
