/**
 * What a heap is of: what a program holds, and what V8 made of the program itself, which grows while more of it runs hot
 * and so hides the former's growth.
 */
import assert from "node:assert/strict";
import { getHeapSnapshot } from "node:v8";
import type { CDPSession } from "playwright-core";

interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly [readonly string[], ...unknown[]];
    };
  };
  /** One after the other, as many numbers each as there are fields. */
  readonly nodes: readonly number[];
}

export interface HeapParts {
  /** Objects, arrays, strings, numbers, closures, and their shapes. */
  readonly dataBytes: number;
  /** Bytecode, machine code, and what belongs to them. */
  readonly codeBytes: number;
}

/** What a browser or Node holds outside, such as DOM nodes, is in neither. */
const NEITHER = new Set(["native", "synthetic", "hidden"]);

/** A page's, from a snapshot, which takes seconds and collects garbage before. */
export async function heapPartsOfPage(session: CDPSession): Promise<HeapParts> {
  const chunks: string[] = [];
  const take = ({ chunk }: { readonly chunk: string }): void => void chunks.push(chunk);
  session.on("HeapProfiler.addHeapSnapshotChunk", take);
  await session.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  session.off("HeapProfiler.addHeapSnapshotChunk", take);
  return partsOf(chunks.join(""));
}

/** This process's, likewise. */
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
