/** Does the store hold what a node has seen of it? One that was restored keeps its ids and goes back in time. */
import { StoreUnfit } from "../port.ts";
import { CallFailed } from "./failure.ts";
import type { Members } from "./members.ts";
import type { OpenEpoch } from "./open-epoch.ts";
import { numberOf, type RangeResponse, type TxnResponse } from "./protocol.ts";
import type { Reached } from "./row-assembler.ts";

export type PlaceCheck = "compacted" | { readonly clusterId: string; readonly lastNumber: number };

/**
 * A linearizable read of the store, also of its state just after the row that the node has reached. "compacted": the
 * store does not remember that state. Throws `StoreUnfit` when that state is another one or has not come yet.
 */
export async function checkPlace(members: Members, epoch: OpenEpoch, reached: Reached): Promise<PlaceCheck> {
  const { keys, record } = epoch;
  const now = { range: { key: keys.counter } };
  const then = { range: { key: keys.counter, revision: reached.seenRevision } };
  let answer: TxnResponse;
  try {
    answer = await members.call("KV/Txn", {
      compare: [{ result: "EQUAL", target: "MOD", key: epoch.key, modRevision: epoch.revision }],
      success: [now, then],
    });
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    if (error.message.includes("future revision"))
      throw new StoreUnfit(wentBack(`its revision is below ${reached.seenRevision}`), { cause: error });
    if (error.message.includes("has been compacted")) return "compacted";
    throw error;
  }
  if (!answer.succeeded) throw new StoreUnfit(`etcd no longer has epoch ${record.epoch}`);
  const [counter, past] = answer.responses.map(({ range }) => counterOf(range));
  const isSame =
    past !== undefined &&
    past.number === reached.number &&
    (reached.id === "" || past.id === reached.id) &&
    (past.number === 0 || past.revision === reached.revision);
  if (!isSame) throw new StoreUnfit(wentBack(`batch ${reached.number} is not the one that this node received`));
  const lastNumber = counter?.number ?? 0;
  if (lastNumber < reached.number) throw new StoreUnfit(wentBack(`its log ends with batch ${lastNumber}`));
  return { clusterId: answer.header.clusterId, lastNumber };
}

export const wentBack = (how: string): string => `etcd was restored or replaced: ${how}`;

function counterOf(range: RangeResponse | undefined): Omit<Reached, "seenRevision"> {
  const kv = range?.kvs[0];
  if (kv === undefined) return { number: 0, revision: 0, id: "" };
  return { number: numberOf(kv.version), revision: numberOf(kv.modRevision), id: kv.value.toString("utf8") };
}
