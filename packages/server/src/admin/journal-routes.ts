/** Routes that show the position of the journal and of the state made from it. */
import { ok } from "./answer.ts";
import type { AdminNode } from "./node.ts";
import { type Route, route } from "./router.ts";

export function journalRoutes({ view, journalHead }: AdminNode): Route[] {
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
  ];
}
