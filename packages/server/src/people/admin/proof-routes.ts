/** Routes of what the venue has and owes: holdings, reserves, and proofs that it counts every customer. */
import { z } from "zod";
import { created, streamed, type Answer } from "./answer.ts";
import { listRoute } from "./list-route.ts";
import type { NetworkHoldings } from "../../funds/wallet/control.ts";
import type { Publication } from "../../funds/proof/folder/port.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { findAccount, parseWith } from "./parse.ts";
import { type AdminRequest, type Route, route } from "./router.ts";
import { BYTES_TYPE } from "./send.ts";

const seq = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const treasuryQuery = z.strictObject({ at: seq.optional(), flows: z.enum(["true", "false"]).default("false") });
const proofSchema = z.strictObject({ at: z.int().min(0).optional() });

export function proofRoutes({ view, audits, sequencer, journalHead, controls }: AdminNode): Route[] {
  const newest = async (): Promise<number> => (await journalHead()).lastSeq;
  return [
    listRoute({
      pattern: "/v1/treasury",
      summary: "Returns, for every asset, the balances of accounts, net inflows, and the holdings of hot wallets.",
      answers:
        "Recomputed from the journal as of the last batch that ends at entry `at` or before. `flows=true` replays the journal " +
        "from its first batch. `wallets` has the current holdings, as the chains report them.",
      query: treasuryQuery,
      columns: ["asset", "customers", "locked", "leaving", "holders", "house", "net", "difference", "flows"],
      page: async ({ asked: { at, flows } }) => {
        const treasury = await audits.treasury({ at: at ?? (await newest()), withFlows: flows === "true" });
        return { rows: treasury.assets, body: { ...treasury, wallets: (await controls.holdings()).map(holdingsBody) } };
      },
    }),
    listRoute({
      pattern: "/v1/proofs",
      summary: "Lists the stored proofs of liabilities, newest first.",
      columns: ["number", "seq", "timeMs", "digest", "publicKey"],
      page: async () => ({ rows: await audits.proofs() }),
    }),
    route({
      method: "POST",
      pattern: "/v1/proofs",
      needs: "money",
      summary: "Creates a proof of liabilities at a journal position, or returns the existing one.",
      status: 201,
      body: proofSchema,
      handle: async ({ body: { at } }) => created(await audits.makeProof(at ?? (await newest()))),
    }),
    route({
      method: "POST",
      pattern: "/v1/proofs/:seq/publish",
      needs: "money",
      summary:
        "Publishes the root of a proof, and of the proofs that precede it, in the journal. This cannot be undone.",
      answers: "The published roots, in order.",
      status: 201,
      handle: async ({ path, by }) => created(await publishUpTo({ view, audits, sequencer }, seqOf(path), by)),
    }),
    route({
      method: "GET",
      pattern: "/v1/proofs/:seq",
      needs: "view",
      summary: "Returns the public part of a proof, as a file.",
      type: BYTES_TYPE,
      handle: async ({ path }) => fileOf(await audits.publicPart(seqOf(path))),
    }),
    route({
      method: "GET",
      pattern: "/v1/proofs/:seq/accounts/:account",
      needs: "view",
      summary: "Returns a customer's part of a proof, as a file.",
      type: BYTES_TYPE,
      handle: async ({ path }) => {
        const account = findAccount(view, path["account"] ?? "");
        return fileOf(await audits.customerPart(seqOf(path), account));
      },
    }),
  ];
}

export interface HoldingsBody extends Omit<NetworkHoldings, "trouble"> {
  /** Why the holdings are unknown; "" if they are known. */
  readonly error: string;
}

const holdingsBody = ({ trouble, ...holdings }: NetworkHoldings): HoldingsBody => ({ ...holdings, error: trouble });

/** Throws `AuditRefused`, and `AdminRefusal` when another one was published meanwhile. */
async function publishUpTo(
  { view, audits, sequencer }: Pick<AdminNode, "view" | "audits" | "sequencer">,
  seq: number,
  by: string,
): Promise<readonly Publication[]> {
  const publications = await audits.publications(seq, view.venue.lastProof);
  for (const each of publications) await carryOut({ sequencer }, { type: "publishProof", ...each, by });
  return publications;
}

function seqOf(path: AdminRequest["path"]): number {
  return parseWith(z.object({ seq }), path).seq;
}

async function* pieces(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

function fileOf(text: string): Answer {
  return streamed(pieces(text));
}
