/** What the store says of nodes and tail at one moment. */
import type { NodePosition } from "../port.ts";
import type { EpochKeys } from "./keys.ts";
import type { Members } from "./members.ts";
import { type KeyValue, numberOf } from "./protocol.ts";

export interface StoreView {
  readonly positions: readonly PositionView[];
  /** The last row of the log, and the last that was removed. */
  readonly lastNumber: number;
  readonly trimmed: number;
  /** The highest revision of a key that is there. */
  readonly liveRevision: number;
  /** The store's own revision: above the other when keys were removed last. */
  readonly revision: number;
}

export interface PositionView {
  readonly position: NodePosition;
  /** Changes with each announcement. */
  readonly revision: number;
}

/** Views the store by a linearizable read. Rejects with `CallFailed`. */
export async function viewStore(members: Members, keys: EpochKeys, patienceMs?: number): Promise<StoreView> {
  const success = [{ range: keys.positions }, { range: { key: keys.counter } }, { range: { key: keys.trimmed } }];
  const { header, responses } = await members.call("KV/Txn", { compare: [], success }, patienceMs);
  const [positions = [], counter = [], trimmed = []] = responses.map(({ range }) => range?.kvs ?? []);
  return {
    positions: positions.map(({ value, modRevision }) => ({
      position: JSON.parse(value.toString("utf8")) as NodePosition,
      revision: numberOf(modRevision),
    })),
    lastNumber: counter[0] === undefined ? 0 : numberOf(counter[0].version),
    trimmed: trimmed[0] === undefined ? 0 : Number(trimmed[0].value.toString("utf8")),
    liveRevision: Math.max(0, ...[...positions, ...counter, ...trimmed].map(revisionOf)),
    revision: numberOf(header.revision),
  };
}

const revisionOf = ({ modRevision }: KeyValue): number => numberOf(modRevision);
