/**
 * The journal's port over etcd compared with plain puts of the same bytes: one writer and three, each with one batch in
 * flight, in alternating rounds. A batch of the port is complete when it has been delivered back to its writer.
 */
import { Peer } from "@pricetime/testkit/peer";
import { median } from "@pricetime/testkit/quantile";
import type { WriterOrder, WriterReport } from "./messages.ts";
import { table, thousands } from "../measure.ts";

type Writer = Peer<WriterOrder, WriterReport>;
type How = "port" | "bare";

/** The approximate size of an order in the journal. */
const COMMAND_BYTES = 80;
const WRITERS = [1, 3];
/** The batches of each writer in a round, by commands per batch. */
const BATCHES: readonly (readonly [commands: number, batches: number])[] = [
  [1, 600],
  [64, 500],
  [512, 200],
];

interface Measured {
  /** The sum over all writers. */
  readonly batchesPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export async function sharedLog(endpoints: readonly string[], rounds: number): Promise<string[]> {
  const writers: Writer[] = Array.from({ length: Math.max(...WRITERS) }, () => newWriter());
  try {
    for (const [at, writer] of writers.entries()) {
      // Each writer prefers another member, as nodes do.
      const rotated = [...endpoints.slice(at), ...endpoints.slice(0, at)];
      writer.order({ type: "open", endpoints: rotated, node: `w${at + 1}` });
      await writer.told("open");
    }
    const rows: (string | number)[][] = [];
    for (const count of WRITERS)
      for (const [commands, batches] of BATCHES)
        rows.push(await rowOf(writers.slice(0, count), { commands, batches, rounds }));
    const head = ["writers", "commands per batch", "batches/s", "commands/s", "p50 ms", "p99 ms"];
    return table([...head, "plain puts/s", "p50 ms", "p99 ms", "ratio"], rows);
  } finally {
    for (const writer of writers) writer.end();
  }
}

const newWriter = (): Writer => new Peer(new URL("./writer-process.ts", import.meta.url));

async function rowOf(
  writers: readonly Writer[],
  { commands, batches, rounds }: { readonly commands: number; readonly batches: number; readonly rounds: number },
): Promise<(string | number)[]> {
  const measured: Record<How, Measured[]> = { port: [], bare: [] };
  const bytes = commands * COMMAND_BYTES;
  for (let round = -1; round < rounds; round++) {
    for (const how of ["bare", "port"] as const) {
      const one = await write(writers, { type: "write", how, batches, bytes });
      // The first round is a warm-up.
      if (round >= 0) measured[how].push(one);
    }
  }
  const of = (how: How, key: keyof Measured): number => median(measured[how].map((one) => one[key]));
  const rate = of("port", "batchesPerSecond");
  const bare = of("bare", "batchesPerSecond");
  return [
    ...[writers.length, commands, thousands(rate), thousands(rate * commands)],
    ...[of("port", "p50Ms").toFixed(2), of("port", "p99Ms").toFixed(2)],
    ...[
      thousands(bare),
      of("bare", "p50Ms").toFixed(2),
      of("bare", "p99Ms").toFixed(2),
      `**${(rate / bare).toFixed(2)}**`,
    ],
  ];
}

async function write(writers: readonly Writer[], order: Extract<WriterOrder, { type: "write" }>): Promise<Measured> {
  for (const writer of writers) writer.order(order);
  const wrote = await Promise.all(writers.map((writer) => writer.told("wrote")));
  return {
    batchesPerSecond: wrote.reduce((sum, { seconds }) => sum + order.batches / seconds, 0),
    p50Ms: median(wrote.map(({ delayMs }) => delayMs.p50)),
    p99Ms: Math.max(...wrote.map(({ delayMs }) => delayMs.p99)),
  };
}
