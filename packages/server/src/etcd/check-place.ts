/** Does the store hold what a node has seen of it? One that was restored keeps its ids and goes back in time. */
import { StoreUnfit } from "../cluster/port.ts";
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
      throw new StoreUnfit(wentBack(`it has not come to revision ${reached.seenRevision}`), { cause: error });
    if (error.message.includes("has been compacted")) return "compacted";
    throw error;
  }
  if (!answer.succeeded) throw new StoreUnfit(`epoch ${record.epoch} is not the store's any more`);
  const [counter, past] = answer.responses.map(({ range }) => counterOf(range));
  const isSame =
    past !== undefined &&
    past.number === reached.number &&
    (reached.id === "" || past.id === reached.id) &&
    (past.number === 0 || past.revision === reached.revision);
  if (!isSame) throw new StoreUnfit(wentBack(`row ${reached.number} is not the one that this node has seen`));
  const lastNumber = counter?.number ?? 0;
  if (lastNumber < reached.number) throw new StoreUnfit(wentBack(`it ends with row ${lastNumber}`));
  return { clusterId: answer.header.clusterId, lastNumber };
}

export const wentBack = (how: string): string => `the store went back or is another one: ${how}`;

function counterOf(range: RangeResponse | undefined): Omit<Reached, "seenRevision"> {
  const kv = range?.kvs[0];
  if (kv === undefined) return { number: 0, revision: 0, id: "" };
  return { number: numberOf(kv.version), revision: numberOf(kv.modRevision), id: kv.value.toString("utf8") };
}
