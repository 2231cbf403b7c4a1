/** What a page asks the node for: when it is opened, after each act, and when the account's stream tells something. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { answerTo, type Asked, keepAsking, type KeptAnswer, NO_ANSWER } from "../pages/keep-asking.ts";
import type { Desk } from "./desk.ts";
import type { Wire } from "./wire/wire.ts";

interface Options {
  /** Absent: only when something happens. */
  readonly everyMs?: number;
  /** Not even then: for what costs the node much, or never changes. */
  readonly isStill?: boolean;
}

/** `of` names what `ask` asks for, so that nothing is shown that answers something else; null: nothing is asked for. */
export function useAsked<Value>(
  desk: Desk,
  of: string | null,
  ask: (wire: Wire) => Promise<Value>,
  { everyMs, isStill = false }: Options = {},
): Asked<Value> {
  const kept = useSignal<KeptAnswer<Value>>(NO_ANSWER);
  const done = isStill ? 0 : desk.done.value;
  // Each drawing brings another function that asks for the same.
  const asking = useRef(ask);
  asking.current = ask;
  useEffect(() => {
    if (of === null) return undefined;
    return keepAsking(() => asking.current(desk.wire), of, everyMs, kept);
  }, [desk, of, everyMs, kept, done]);
  return answerTo(kept.value, of);
}
