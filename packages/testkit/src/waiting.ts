/** Waits for a condition for a limited time. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

export interface Patience {
  /** The maximum wait. Default: a minute and a half, which a busy machine may need. */
  readonly withinMs?: number;
  /** The pause between checks in milliseconds. Default: 10. */
  readonly everyMs?: number;
  /** The additional time that the last check may take. Default: half a minute. */
  readonly lastLookMs?: number;
}

const WITHIN_MS = 90_000;
const EVERY_MS = 10;
const LAST_LOOK_MS = 30_000;

/**
 * Checks repeatedly until the condition holds. Fails if it does not hold in time, or if a check does not end. `what`
 * describes the condition.
 */
export async function until(
  what: string | (() => string),
  holds: () => Promise<boolean> | boolean,
  patience: Patience = {},
): Promise<void> {
  if (!(await look(holds, patience))) assert.fail(`never: ${typeof what === "string" ? what : what()}`);
}

/**
 * Sends a request repeatedly. Resolves to the first acceptable answer. Fails with the last answer if none is acceptable
 * in time.
 */
export async function untilAnswer<Answer>(
  what: string,
  ask: () => Promise<Answer> | Answer,
  isGood: (answer: Answer) => boolean,
  patience: Patience = {},
): Promise<Answer> {
  let answer!: Answer;
  const holds = async (): Promise<boolean> => isGood((answer = await ask()));
  await until(() => `${what}; the last answer was ${JSON.stringify(answer)}`, holds, patience);
  return answer;
}

/** Returns whether the condition holds in time. A check that throws counts as not satisfied. */
export function comes(holds: () => Promise<boolean> | boolean, patience: Patience = {}): Promise<boolean> {
  const isSo = async (): Promise<boolean> => holds();
  return look(() => isSo().catch(() => false), patience);
}

async function look(holds: () => Promise<boolean> | boolean, patience: Patience): Promise<boolean> {
  const { withinMs = WITHIN_MS, everyMs = EVERY_MS, lastLookMs = LAST_LOOK_MS } = patience;
  const endMs = performance.now() + withinMs;
  for (;;) {
    if (await inTime(holds, Math.max(endMs - performance.now(), 0) + lastLookMs)) return true;
    if (performance.now() >= endMs) return false;
    await sleep(everyMs);
  }
}

async function inTime(holds: () => Promise<boolean> | boolean, withinMs: number): Promise<boolean> {
  const looked = holds();
  if (typeof looked === "boolean") return looked;
  const over = new AbortController();
  const late = sleep(withinMs, false, { signal: over.signal }).catch(() => false);
  try {
    return await Promise.race([looked, late]);
  } finally {
    over.abort();
  }
}
