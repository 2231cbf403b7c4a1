/** Measurements: quantiles, histograms of delays, and the composition of a heap. */
import { createHistogram, type Histogram, type RecordableHistogram } from "node:perf_hooks";
import assert from "node:assert/strict";
import { getHeapSnapshot } from "node:v8";
import type { CDPSession } from "playwright-core";

/** Returns a quantile by nearest rank: `quantile(values, 0.5)` is the median. Returns NaN for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

const US_A_MS = 1000;
const HIGHEST_US = 3_600_000_000;
/** The number of significant digits in a histogram. */
const FIGURES = 3;

/** Quantiles in milliseconds. */
export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/**
 * Creates a histogram in microseconds. Histograms cannot be sent between processes, so processes send the delays
 * instead.
 */
export const newDelays = (): RecordableHistogram =>
  createHistogram({ lowest: 1, highest: HIGHEST_US, figures: FIGURES });

export function recordDelay(delays: RecordableHistogram, delayMs: number): void {
  delays.record(Math.max(1, Math.round(delayMs * US_A_MS)));
}

export function histogramOf(delaysMs: Iterable<number>): RecordableHistogram {
  const delays = newDelays();
  for (const delayMs of delaysMs) recordDelay(delays, delayMs);
  return delays;
}

export function sumOf(all: readonly RecordableHistogram[]): RecordableHistogram {
  const sum = newDelays();
  for (const each of all) sum.add(each);
  return sum;
}

/** Returns a quantile in milliseconds by nearest rank, or NaN if nothing was recorded. */
export function quantileMs(delays: Histogram, share: number): number {
  return delays.count === 0 ? Number.NaN : delays.percentile(share * 100) / US_A_MS;
}

export function quantilesOf(delays: Histogram): Quantiles {
  return {
    p50: quantileMs(delays, 0.5),
    p99: quantileMs(delays, 0.99),
    p999: quantileMs(delays, 0.999),
    max: quantileMs(delays, 1),
  };
}

// The composition of a heap: the program's data, and the code that V8 has compiled. As more of the program becomes hot,
// the code grows, which would hide a growth of the data.

interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly [readonly string[], ...unknown[]];
    };
  };
  /** The fields of all nodes as one flat list of numbers. */
  readonly nodes: readonly number[];
}

export interface HeapParts {
  /** The number of bytes in objects, arrays, strings, numbers, closures and hidden classes. */
  readonly dataBytes: number;
  /** The number of bytes in bytecode, machine code and related data. */
  readonly codeBytes: number;
}

/**
 * Node types that count as neither data nor code, because their memory is outside the heap, such as that of DOM nodes.
 */
const NEITHER = new Set(["native", "synthetic", "hidden"]);

/** Resolves to the composition of a page's heap. Takes a snapshot, which lasts seconds and collects garbage first. */
export async function heapPartsOfPage(session: CDPSession): Promise<HeapParts> {
  const chunks: string[] = [];
  const take = ({ chunk }: { readonly chunk: string }): void => void chunks.push(chunk);
  session.on("HeapProfiler.addHeapSnapshotChunk", take);
  await session.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  session.off("HeapProfiler.addHeapSnapshotChunk", take);
  return partsOf(chunks.join(""));
}

/** Resolves to the composition of this process's heap, also from a snapshot. */
export async function heapPartsOfProcess(): Promise<HeapParts> {
  const chunks: Buffer[] = [];
  for await (const chunk of getHeapSnapshot()) chunks.push(Buffer.from(chunk as Uint8Array));
  return partsOf(Buffer.concat(chunks).toString());
}

function partsOf(text: string): HeapParts {
  const { snapshot, nodes } = JSON.parse(text) as Snapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [typeAt, sizeAt] = [fields.indexOf("type"), fields.indexOf("self_size")];
  assert.ok(typeAt >= 0 && sizeAt >= 0 && types[0].includes("code"), "a snapshot of another form");
  let [dataBytes, codeBytes] = [0, 0];
  for (let at = 0; at < nodes.length; at += fields.length) {
    const type = types[0][nodes[at + typeAt] as number] as string;
    const bytes = nodes[at + sizeAt] as number;
    if (type === "code") codeBytes += bytes;
    else if (!NEITHER.has(type)) dataBytes += bytes;
  }
  return { dataBytes, codeBytes };
}
