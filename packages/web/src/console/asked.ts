/** What a page asks the node for: again at intervals while it is looked at, after each act, and when it is wished. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Desk } from "./desk.ts";
import type { Sent } from "./wire/admin.ts";
import { answerTo, type Asked, keepAsking, type KeptAnswer, NO_ANSWER } from "../pages/keep-asking.ts";

export { type Asked, OFTEN_MS, SELDOM_MS } from "../pages/keep-asking.ts";

interface Options {
  readonly query?: Sent["query"];
  /** Absent: once, and after each act. */
  readonly everyMs?: number;
}

/** `path` null: nothing is asked for. */
export function useAsked<Value>(desk: Desk, path: string | null, { query = {}, everyMs }: Options = {}): Asked<Value> {
  const { admin } = desk;
  const kept = useSignal<KeptAnswer<Value>>(NO_ANSWER);
  const done = desk.done.value;
  const asked = path === null ? "" : JSON.stringify([path, query]);
  useEffect(() => {
    if (asked === "") return undefined;
    const [wanted, sent] = JSON.parse(asked) as [string, NonNullable<Sent["query"]>];
    return keepAsking(() => admin.ask<Value>("GET", wanted, { query: sent }), asked, everyMs, kept);
  }, [admin, asked, everyMs, kept, done]);
  return answerTo(kept.value, asked);
}
