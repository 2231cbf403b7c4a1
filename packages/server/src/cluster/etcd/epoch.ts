/**
 * The content of the store and its keys: the epoch record, which identifies the journal that the batches continue, and
 * the positions of nodes.
 */
import { EMPTY_HEAD, type JournalHead } from "../../journal/port.ts";
import type { Dice, World } from "../../platform/world/port.ts";
import { type Epoch, type NodePosition, StoreUnfit } from "../port.ts";
import { type EtcdAccess, Members } from "./members.ts";
import { type KeyValue, numberOf, type RequestOp, type TxnResponse } from "./protocol.ts";
import { type Counters, ETCD_LIMITS, type EtcdLimits } from "./endpoint.ts";

interface Keys {
  /** All keys of this exchange in the store. */
  readonly all: Span;
  readonly epoch: Buffer;
}

/** Keys from `key` up to, but not including, `rangeEnd`. */
export interface Span {
  readonly key: Buffer;
  readonly rangeEnd: Buffer;
}

export interface EpochKeys {
  /** Only the batches and their counter: the range that a node watches. */
  readonly log: Span;
  readonly batches: Span;
  readonly positions: Span;
  /** The counter of batches. Its version is the number of batches in the epoch; its value is the id of the last one. */
  readonly counter: Buffer;
  batch(id: string): Buffer;
  /** The id of the batch with this key; undefined if the key is not that of a batch. */
  idOf(batchKey: Buffer): string | undefined;
  /** The key that stores the number of the last removed batch. */
  readonly trimmed: Buffer;
  position(node: string): Buffer;
  role(role: string): Buffer;
}

/** `prefix` is a prefix such as `pt`. */
function keysUnder(prefix: string): Keys {
  const all = spanOf(`${prefix}/`);
  return { all, epoch: Buffer.from(`${prefix}/epoch`) };
}

export function keysOfEpoch(prefix: string, epoch: string): EpochKeys {
  const base = `${prefix}/${epoch}/`;
  const batches = spanOf(`${base}b/`);
  const counter = Buffer.from(`${base}n`);
  return {
    log: { key: batches.key, rangeEnd: Buffer.concat([counter, Buffer.of(0)]) },
    batches,
    positions: spanOf(`${base}p/`),
    counter,
    trimmed: Buffer.from(`${base}t`),
    batch: (id) => Buffer.concat([batches.key, Buffer.from(id)]),
    idOf: (key) =>
      key.subarray(0, batches.key.length).equals(batches.key)
        ? key.subarray(batches.key.length).toString("utf8")
        : undefined,
    position: (node) => Buffer.from(`${base}p/${node}`),
    role: (role) => Buffer.from(`${base}r/${role}`),
  };
}

/** All keys with this prefix. */
function spanOf(prefix: string): Span {
  const key = Buffer.from(prefix);
  const rangeEnd = Buffer.from(key);
  rangeEnd[rangeEnd.length - 1]! += 1;
  return { key, rangeEnd };
}

export interface OpenEpoch {
  readonly record: Epoch;
  /** The record's revision. All batches have higher ones. */
  readonly revision: number;
  /** The key of the record. */
  readonly key: Buffer;
  readonly keys: EpochKeys;
}

/** The first epoch of a new exchange, whose journal is empty. */
export function firstEpoch(dice: Dice): Epoch {
  return { epoch: newEpochId(dice), baseSeq: EMPTY_HEAD.lastSeq, baseChainHash: EMPTY_HEAD.chainHash, priorEpoch: "" };
}

/** Generates 16 hex digits. */
function newEpochId(dice: Dice): string {
  return dice.randomBytes(8).toString("hex");
}

/**
 * Reads the record. If there is none, writes `first`, if it is given and no other node has written one meanwhile.
 * Throws `StoreUnfit` if there is still no record.
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

/** Writes the record of a new epoch to an empty store. Throws `StoreUnfit` if the store is not empty. */
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

/** The parts of a node's connection to the store that all its components share. */
export interface StoreParts {
  readonly members: Members;
  readonly epoch: OpenEpoch;
  readonly limits: EtcdLimits;
  readonly world: World;
  readonly counters: Counters;
}

export interface StoreView {
  readonly positions: readonly PositionView[];
  /** The numbers of the last batch of the log and of the last removed batch. */
  readonly lastNumber: number;
  readonly trimmed: number;
  /** The highest revision of an existing key. */
  readonly liveRevision: number;
  /** The store's current revision. It is higher than `liveRevision` if the last change removed keys. */
  readonly revision: number;
}

export interface PositionView {
  readonly position: NodePosition;
  /** The revision of the node's position. It changes whenever the node publishes a position. */
  readonly revision: number;
}

/** Reads the store linearizably. Rejects with `CallFailed`. */
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

export interface StoreAccess extends EtcdAccess {
  /** The prefix of all keys of this exchange without the slash, such as `pt`. */
  readonly prefix: string;
}

/** A new epoch that continues a journal. `priorEpoch` is the journal's last epoch; "" if it had none. */
export function epochAfter({ lastSeq, chainHash }: JournalHead, priorEpoch: string, dice: Dice): Epoch {
  return { epoch: newEpochId(dice), baseSeq: lastSeq, baseChainHash: chainHash, priorEpoch };
}

/**
 * Writes the record of a new epoch. Rejects with `StoreUnfit` if the store is not empty, and with `CallFailed` if no
 * member answers.
 */
export async function beginStore(access: StoreAccess, record: Epoch, world: World): Promise<void> {
  await withMembers(access, world, (members) => beginEpoch(members, access.prefix, record));
}

/** Resolves to the positions that the nodes have published. Rejects with `StoreUnfit` or `CallFailed`. */
export function nodesOf(access: StoreAccess, world: World): Promise<readonly NodePosition[]> {
  return withMembers(access, world, async (members) => {
    const { keys } = await openEpoch(members, access.prefix, undefined);
    const { positions } = await viewStore(members, keys, ETCD_LIMITS.patienceMs);
    return positions.map(({ position }) => position);
  });
}

async function withMembers<T>(access: StoreAccess, world: World, ask: (members: Members) => Promise<T>): Promise<T> {
  const members = new Members({ access, limits: ETCD_LIMITS, world });
  try {
    return await ask(members);
  } finally {
    members.close();
  }
}
