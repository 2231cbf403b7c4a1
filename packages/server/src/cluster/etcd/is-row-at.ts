/** Is a batch at the place where somebody says that it is? */
import type { LogPlace } from "../../journal/port.ts";
import { CallFailed } from "./failure.ts";
import type { EpochKeys } from "./keys.ts";
import type { Members } from "./members.ts";
import { type KeyValue, numberOf } from "./protocol.ts";

/** Returns undefined when the store does not remember the place. `place`: in the epoch of the keys. */
export async function isRowAt(
  members: Members,
  { counter: key }: Pick<EpochKeys, "counter">,
  { number, revision }: LogPlace,
  id: string,
): Promise<boolean | undefined> {
  const isIt = (counter: KeyValue | undefined): boolean =>
    counter !== undefined &&
    numberOf(counter.version) === number &&
    numberOf(counter.modRevision) === revision &&
    counter.value.toString("utf8") === id;
  const { kvs: now } = await members.call("KV/Range", { key });
  if (now[0] === undefined || numberOf(now[0].modRevision) <= revision) return isIt(now[0]);
  try {
    const { kvs: then } = await members.call("KV/Range", { key, revision });
    return isIt(then[0]);
  } catch (error) {
    if (error instanceof CallFailed && error.message.includes("has been compacted")) return undefined;
    throw error;
  }
}
