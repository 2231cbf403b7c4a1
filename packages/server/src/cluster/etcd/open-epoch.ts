/** The epoch record of the store: which journal its rows follow. */
import { EMPTY_HEAD } from "../../journal/port.ts";
import type { Dice } from "../../platform/world/port.ts";
import { type Epoch, StoreUnfit } from "../port.ts";
import { type EpochKeys, type Keys, keysOfEpoch, keysUnder } from "./keys.ts";
import type { Members } from "./members.ts";
import { numberOf, type RequestOp, type TxnResponse } from "./protocol.ts";

export interface OpenEpoch {
  readonly record: Epoch;
  /** The record's: each row's is higher. */
  readonly revision: number;
  /** Where the record stands. */
  readonly key: Buffer;
  readonly keys: EpochKeys;
}

/** Returns the first epoch of a new exchange, whose journal is empty. */
export function firstEpoch(dice: Dice): Epoch {
  return { epoch: newEpochId(dice), baseSeq: EMPTY_HEAD.lastSeq, baseChainHash: EMPTY_HEAD.chainHash, priorEpoch: "" };
}

/** 16 hex digits. */
export function newEpochId(dice: Dice): string {
  return dice.randomBytes(8).toString("hex");
}

/**
 * Reads the record. Where there is none it writes `first`, unless another node is faster; undefined: it writes none.
 * Throws `StoreUnfit` when there is none to the end.
 */
export async function openEpoch(members: Members, prefix: string, first: Epoch | undefined): Promise<OpenEpoch> {
  const { epoch: key } = keysUnder(prefix);
  const read: RequestOp = { range: { key } };
  const absent = { result: "EQUAL", target: "CREATE", key, createRevision: 0 } as const;
  const success = first === undefined ? [] : [{ put: { key, value: Buffer.from(JSON.stringify(first)) } }];
  const begun = await members.call("KV/Txn", { compare: [absent], success, failure: [read] });
  const found = begun.succeeded ? await members.call("KV/Txn", { compare: [], success: [read] }) : begun;
  return epochOf(prefix, key, found);
}

/** Writes the record of a new epoch into a store that holds nothing else. Throws `StoreUnfit` when it holds anything. */
export async function beginEpoch(members: Members, prefix: string, record: Epoch): Promise<OpenEpoch> {
  const { all, epoch: key }: Keys = keysUnder(prefix);
  const value = Buffer.from(JSON.stringify(record));
  const { kvs } = await members.call("KV/Range", { ...all, keysOnly: true, limit: 2 });
  const isOurs = async (): Promise<boolean> => {
    const { kvs: own } = await members.call("KV/Range", { key });
    return own[0]?.value.equals(value) === true;
  };
  if (kvs.length > 0 && !(kvs.length === 1 && (await isOurs())))
    throw new StoreUnfit(
      `etcd is not empty: it has the key ${kvs[0]?.key.toString("utf8")}. Use another cluster.prefix, or an empty etcd`,
    );
  const opened = await openEpoch(members, prefix, record);
  if (opened.record.epoch !== record.epoch)
    throw new StoreUnfit("another node has bootstrapped a cluster in this etcd");
  return opened;
}

function epochOf(prefix: string, key: Buffer, { responses }: TxnResponse): OpenEpoch {
  const kv = responses[0]?.range?.kvs[0];
  if (kv === undefined)
    throw new StoreUnfit(
      "etcd has no epoch, but the journal of this node is not empty. Bootstrap the cluster with `pricetime cluster bootstrap`, or check cluster.prefix",
    );
  const record = JSON.parse(kv.value.toString("utf8")) as Epoch;
  return { record, revision: numberOf(kv.modRevision), key, keys: keysOfEpoch(prefix, record.epoch) };
}
