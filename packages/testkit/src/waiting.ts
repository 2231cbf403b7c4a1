/** Waiting for something that must come, for so long and no longer. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

export interface Patience {
  /** Default: a minute and a half, which a busy machine may need. */
  readonly withinMs?: number;
  /** Between one look and the next. Default: 10. */
  readonly everyMs?: number;
}

const WITHIN_MS = 90_000;
const EVERY_MS = 10;

/** Looks again and again. Fails when it never holds; `what` says then what was waited for. */
export async function until(
  what: string | (() => string),
  holds: () => Promise<boolean> | boolean,
  patience: Patience = {},
): Promise<void> {
  if (!(await look(holds, patience))) assert.fail(`never: ${typeof what === "string" ? what : what()}`);
}

/** Asks again and again; resolves to the first answer that will do. Fails with the last one when none does. */
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

/** Whether it holds in time. A look that fails has not seen it. */
export function comes(holds: () => Promise<boolean> | boolean, patience: Patience = {}): Promise<boolean> {
  const isSo = async (): Promise<boolean> => holds();
  return look(() => isSo().catch(() => false), patience);
}

async function look(holds: () => Promise<boolean> | boolean, patience: Patience): Promise<boolean> {
  const { withinMs = WITHIN_MS, everyMs = EVERY_MS } = patience;
  const endMs = performance.now() + withinMs;
  for (;;) {
    if (await holds()) return true;
    if (performance.now() >= endMs) return false;
    await sleep(everyMs);
  }
}
