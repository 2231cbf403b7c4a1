/** Routes that show the position of the journal and of the state made from it, and give its rows to other nodes. */
import { z } from "zod";
import { OtherJournal, TooManyStreams } from "../cluster/catch-up/port.ts";
import { AdminRefusal, type Answer, ok, streamed } from "./answer.ts";
import type { AdminNode } from "./node.ts";
import { type Route, route } from "./router.ts";
import { BYTES_TYPE } from "./send.ts";

const seq = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const rowsQuery = z.strictObject({ after: seq, chainHash: z.string().regex(/^[0-9a-f]{64}$/, "64 hex digits") });
const snapshotQuery = z.strictObject({ beyond: seq.default(0) });

export function journalRoutes({ view, journalHead, source }: AdminNode): Route[] {
  return [
    route({
      method: "GET",
      pattern: "/v1/journal",
      summary: "Where the journal and the state made from it stand, with their digests.",
      handle: async () => {
        const { lastSeq, lastTimeMs, chainHash } = await journalHead();
        return ok({
          lastSeq,
          lastTimeMs,
          chainHash,
          stateSeq: view.seq,
          stateTimeMs: view.timeMs,
          eventDigest: view.eventDigest(),
        });
      },
    }),
    route({
      method: "GET",
      pattern: "/v1/journal/rows",
      summary: "The rows after an entry, for a node whose journal ends there with that chain hash.",
      answers: "Rows in frames, and where the last of them stands in the log that the nodes share.",
      type: BYTES_TYPE,
      isForNodes: true,
      query: rowsQuery,
      handle: ({ asked }) => rowsAfter(source.rows(asked.after, asked.chainHash)),
    }),
    route({
      method: "GET",
      pattern: "/v1/journal/snapshot",
      summary: "The newest snapshot, for a node that has none beyond an entry.",
      answers: "The file of the snapshot.",
      type: BYTES_TYPE,
      isForNodes: true,
      query: snapshotQuery,
      handle: async ({ asked }) => {
        const snapshot = await source.snapshot(asked.beyond);
        if (snapshot === undefined)
          throw new AdminRefusal(404, "NO_SNAPSHOT", "There is no snapshot beyond that entry.");
        return streamed(snapshot.bytes);
      },
    }),
  ];
}

async function rowsAfter(rows: Promise<AsyncIterable<Uint8Array>>): Promise<Answer> {
  try {
    return streamed(await rows);
  } catch (error) {
    if (error instanceof OtherJournal) throw refused(409, "OTHER_JOURNAL", error);
    if (error instanceof TooManyStreams) throw refused(503, "BUSY", error);
    throw error;
  }
}

function refused(status: number, code: string, cause: Error): AdminRefusal {
  const refusal = new AdminRefusal(status, code, `${cause.message}.`);
  refusal.cause = cause;
  return refusal;
}
