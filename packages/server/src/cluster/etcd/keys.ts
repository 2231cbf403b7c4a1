/** Where things stand in the store. */

export interface Keys {
  /** All that this exchange keeps in the store. */
  readonly all: Span;
  readonly epoch: Buffer;
}

/** From `key` on, up to just before `rangeEnd`. */
export interface Span {
  readonly key: Buffer;
  readonly rangeEnd: Buffer;
}

export interface EpochKeys {
  /** Batches and their counter, and nothing else: what a node watches. */
  readonly log: Span;
  readonly batches: Span;
  readonly positions: Span;
  /** Its version counts the batches of the epoch; its value is the id of the last one. */
  readonly counter: Buffer;
  batch(id: string): Buffer;
  /** Returns the id of a batch; undefined when the key is not one of a batch. */
  idOf(batchKey: Buffer): string | undefined;
  /** Up to where rows were removed. */
  readonly trimmed: Buffer;
  position(node: string): Buffer;
  role(role: string): Buffer;
}

/** `prefix`: `pt`. */
export function keysUnder(prefix: string): Keys {
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

/** All keys that begin so: up to the first that does not. */
function spanOf(prefix: string): Span {
  const key = Buffer.from(prefix);
  const rangeEnd = Buffer.from(key);
  rangeEnd[rangeEnd.length - 1]! += 1;
  return { key, rangeEnd };
}
