/** Routes that show the journal and its position, and stream its batches to other nodes. */
import { orderNumberOf } from "@pricetime/engine";
import { z } from "zod";
import { OtherJournal, TooManyStreams } from "../../cluster/catch-up/port.ts";
import { type Answer, badRequest, BYTES_TYPE, ok, Rejection, streamed } from "../http/answer.ts";
import type { EntryFilter, JournalEntries } from "../../journal/port.ts";
import { findHolder, findMarket } from "./parse.ts";
import { listRoute } from "./list-route.ts";
import type { AdminNode } from "./node.ts";
import { type AdminRoute, route } from "./router.ts";
import { journalEntries, journalHead, journalRow } from "./answers.ts";

const seq = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const MAX_ENTRIES = 500;
const MAX_NAME_CHARACTERS = 256;
const name = z.string().min(1).max(MAX_NAME_CHARACTERS).exactOptional();
const entriesQuery = z.strictObject({
  from: seq.min(1).exactOptional(),
  before: seq.min(1).exactOptional(),
  limit: z.coerce.number().int().min(1).max(MAX_ENTRIES).default(100),
  type: name,
  by: name,
  account: name,
  symbol: name,
});
const rowsQuery = z.strictObject({
  after: seq,
  chainHash: z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hex digits"),
});
const snapshotQuery = z.strictObject({ beyond: seq.default(0) });

export function journalRoutes(node: AdminNode): AdminRoute[] {
  const { view, source, audits } = node;
  return [
    route({
      endpoint: "GET /v1/journal",
      needs: "view",
      summary: "Returns the positions and digests of the journal and of the state built from it.",
      answer: journalHead,
      handle: async () => {
        const { lastSeq, lastTimeMs, chainHash } = await node.journalHead();
        const state = { stateSeq: view.seq, stateTimeMs: view.timeMs, eventDigest: view.eventDigest() };
        return ok({ lastSeq, lastTimeMs, chainHash, ...state });
      },
    }),
    listRoute({
      pattern: "/v1/journal/entries",
      summary:
        "Returns journal entries: from an entry on, before an entry, or the newest. Recomputes the hash chain of their batches.",
      answers:
        "Commands as journaled, in ticks, lots and units, without secrets. `chain.isValid` is false, with a `fault`, when a " +
        "batch does not follow the one before it. Send `next` as `from` for newer entries, or `prior` as `before` for older " +
        "ones; `from` and `before` exclude each other. `type`, `by`, `account` and `symbol` filter the entries; `searched` is " +
        "the range in which all matches are listed.",
      query: entriesQuery,
      row: journalRow,
      answer: journalEntries,
      filePage: { limit: MAX_ENTRIES },
      page: async ({ query: { from, before, limit, ...wanted } }) => {
        if (from !== undefined && before !== undefined) throw badRequest("send either from or before, not both");
        const { entries, looked, chain, ...rest } = await audits.entries({
          from,
          before,
          limit,
          only: filterOf(view, wanted),
        });
        const rows = entries.map(({ symbolId, command, ...entry }) => ({
          ...{ ...entry, symbol: symbolName(view, symbolId), command: withOrderNumbers(view, command) },
        }));
        if (!chain.isWhole && rows.length === 0) throw damaged(chain.fault);
        return {
          rows,
          body: { entries: rows, ...rest, searched: looked, chain: chainBody(chain) },
          // A file is in journal order, so a request for older entries gets only one page.
          next: rest.next === null || from === undefined ? undefined : { from: rest.next },
          fault: chain.fault,
        };
      },
    }),
    route({
      endpoint: "GET /v1/journal/rows",
      needs: "token",
      summary: "Streams the journal batches after an entry, for a node whose journal ends there with this chain hash.",
      answers: "Framed batches, and the position of the last one in the shared log.",
      types: [BYTES_TYPE],
      isForNodes: true,
      query: rowsQuery,
      handle: ({ query }) => rowsAfter(source.rows(query.after, query.chainHash)),
    }),
    route({
      endpoint: "GET /v1/journal/snapshot",
      needs: "token",
      summary: "Returns the newest snapshot, for a node that has none after an entry.",
      answers: "The snapshot file.",
      types: [BYTES_TYPE],
      isForNodes: true,
      query: snapshotQuery,
      handle: async ({ query }) => {
        const snapshot = await source.snapshot(query.beyond);
        if (snapshot === undefined) throw new Rejection(404, "NO_SNAPSHOT", "No snapshot is newer than this entry.");
        return streamed(snapshot.bytes);
      },
    }),
  ];
}

const chainBody = ({ isWhole, ...chain }: JournalEntries["chain"]): object => ({ isValid: isWhole, ...chain });

/** Converts the names in a query to ids. Throws `Rejection` if the account or symbol does not exist. */
function filterOf(
  view: AdminNode["view"],
  { type, by, account, symbol }: Omit<z.output<typeof entriesQuery>, "from" | "before" | "limit">,
): EntryFilter | undefined {
  const filter: EntryFilter = {
    ...(type !== undefined && { type }),
    ...(by !== undefined && { by }),
    ...(account !== undefined && { accountId: findHolder(view, account) }),
    ...(symbol !== undefined && { symbolId: findMarket(view, symbol).symbolId }),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}

/** A command that names orders as customers do, where orders are numbered by symbol. */
function withOrderNumbers({ orderIds }: AdminNode["view"], command: object): object {
  if (orderIds === "exchange") return command;
  const shown = (name: string, value: unknown): unknown =>
    name === "orderId" && typeof value === "number" ? orderNumberOf(value) : value;
  return JSON.parse(JSON.stringify(command, shown)) as object;
}

/** Null if this node has not applied the symbol's listing yet. */
function symbolName(view: AdminNode["view"], symbolId: number | null): string | null {
  return symbolId === null ? null : (view.markets()[symbolId]?.spec.symbol ?? null);
}

function damaged(fault = ""): Rejection {
  return new Rejection(409, "JOURNAL_DAMAGED", `The journal cannot be read from this entry on: ${fault}.`);
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

function refused(status: number, code: string, cause: Error): Rejection {
  const refusal = new Rejection(status, code, `${cause.message}.`);
  refusal.cause = cause;
  return refusal;
}
