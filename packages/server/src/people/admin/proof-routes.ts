/** Routes of the treasury, proofs of liabilities, and reserves. */
import { z } from "zod";
import { type Answer, badRequest, BYTES_TYPE, created, Rejection, streamed } from "../http/answer.ts";
import { listRoute } from "./list-route.ts";
import type { NetworkHoldings } from "../../funds/wallet/port.ts";
import { type GivenReserve, MAX_RESERVES, type Publication } from "../../funds/proof/folder/port.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { findAccount, parseWith } from "./parse.ts";
import { type AdminRoute, route } from "./router.ts";
import { proofRow, reservesRow, shownReserves, treasury, treasuryRow } from "./answers.ts";

const seq = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const treasuryQuery = z.strictObject({ at: seq.optional(), flows: z.enum(["true", "false"]).default("false") });
const proofSchema = z.strictObject({ at: z.int().min(0).optional() });

export function proofRoutes({ view, audits, sequencer, journalHead, controls }: AdminNode): AdminRoute[] {
  const newest = async (): Promise<number> => (await journalHead()).lastSeq;
  return [
    listRoute({
      pattern: "/v1/treasury",
      summary: "Returns, for every asset, the balances of accounts, net inflows, and the holdings of hot wallets.",
      answers:
        "Recomputed from the journal as of the last batch that ends at entry `at` or before. `flows=true` replays the journal " +
        "from its first batch. `wallets` has the current holdings, as the chains report them.",
      query: treasuryQuery,
      row: treasuryRow,
      answer: treasury,
      page: async ({ query: { at, flows } }) => {
        const totals = await audits.treasury({ at: at ?? (await newest()), withFlows: flows === "true" });
        return { rows: totals.assets, body: { ...totals, wallets: (await controls.holdings()).map(holdingsBody) } };
      },
    }),
    listRoute({
      pattern: "/v1/proofs",
      summary: "Lists the stored proofs of liabilities, newest first.",
      row: proofRow,
      page: async () => ({ rows: await audits.proofs() }),
    }),
    route({
      endpoint: "POST /v1/proofs",
      needs: "money",
      summary: "Creates a proof of liabilities at a journal position, or returns the existing one.",
      answer: proofRow,
      status: 201,
      body: proofSchema,
      handle: async ({ body: { at } }) => created(await audits.makeProof(at ?? (await newest()))),
    }),
    route({
      endpoint: "POST /v1/proofs/:seq/publish",
      path: { seq },
      needs: "money",
      summary:
        "Publishes the root of a proof, and of the proofs that precede it, in the journal. This cannot be undone.",
      answers: "The published roots, in order.",
      status: 201,
      handle: async ({ path, by }) => created(await publishUpTo({ view, audits, sequencer }, path.seq, by)),
    }),
    route({
      endpoint: "GET /v1/proofs/:seq",
      path: { seq },
      needs: "view",
      summary: "Returns the public part of a proof, as a file.",
      types: [BYTES_TYPE],
      handle: async ({ path }) => fileOf(await audits.publicPart(path.seq)),
    }),
    route({
      endpoint: "GET /v1/proofs/:seq/accounts/:account",
      needs: "view",
      summary: "Returns a customer's part of a proof, as a file.",
      types: [BYTES_TYPE],
      handle: async ({ path }) => {
        const account = findAccount(view, path.account);
        return fileOf(await audits.customerPart(parseWith(z.object({ seq }), path).seq, account));
      },
    }),
  ];
}

const holdingsBody = ({ trouble, ...holdings }: NetworkHoldings): object => ({ ...holdings, error: trouble });

/**
 * Publishes a proof and its unpublished predecessors. Throws `AuditRefused`, or `Rejection` if another proof was
 * published in the meantime.
 */
async function publishUpTo(
  { view, audits, sequencer }: Pick<AdminNode, "view" | "audits" | "sequencer">,
  seq: number,
  by: string,
): Promise<readonly Publication[]> {
  const publications = await audits.publications(seq, view.venue.lastProof);
  for (const each of publications) await carryOut({ sequencer }, { type: "publishProof", ...each, by });
  return publications;
}

async function* pieces(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

function fileOf(text: string): Answer {
  return streamed(pieces(text));
}

// Reserves are the balances of the venue's addresses, published with the liabilities.

const name = z.string().regex(/^[A-Z0-9]{1,20}$/, "must be upper-case letters and digits");
const reserveSchema = z.strictObject({
  asset: name,
  network: name,
  address: z.string().regex(/^[\x21-\x7e]{1,128}$/, "must be an address"),
  block: z.int().min(0).describe("The height of the block at which the address held the amount."),
  amount: z.string().regex(/^[0-9]{1,20}(\.[0-9]{1,20})?$/, "must be a decimal number"),
  signature: z
    .string()
    .regex(/^(0x)?([0-9a-fA-F]{130})?$/, "must be 65 bytes in hex, or empty")
    .default("")
    .describe(
      "Signature by the key of the address (EIP-191, personal_sign). Empty: unproven statement of the operator.",
    ),
});
const addSchema = z.strictObject({
  reserves: z.array(reserveSchema).max(MAX_RESERVES).default([]),
  fromWallets: z
    .boolean()
    .default(false)
    .describe("Adds the current holdings of the node's wallets, as their chains report them."),
  isDraft: z.boolean().default(false).describe("Returns the texts to be signed, and publishes nothing."),
});

interface ReserveParts {
  readonly view: AdminNode["view"];
  readonly audits: Pick<AdminNode["audits"], "reserves" | "addReserves">;
  readonly controls: Pick<AdminNode["controls"], "holdings">;
  readonly wallet: Pick<AdminNode["wallet"], "networks">;
}

export function reserveRoutes({ view, audits, controls, wallet }: ReserveParts): AdminRoute[] {
  return [
    listRoute({
      pattern: "/v1/proofs/:seq/reserves",
      path: { seq },
      summary: "Returns the reserves published with a proof, the liabilities to customers, and the surplus, by asset.",
      answers: "`reserves` of an asset is null when none are published.",
      row: reservesRow,
      answer: shownReserves,
      page: async ({ path }) => {
        const shown = await audits.reserves(path.seq);
        return { rows: shown.assets, body: shown };
      },
    }),
    route({
      endpoint: "POST /v1/proofs/:seq/reserves",
      path: { seq },
      needs: "money",
      summary: "Publishes reserves in the public part of a proof. This cannot be undone.",
      answers: "The published reserves, with the text to be signed for each address.",
      answer: shownReserves,
      status: 201,
      body: addSchema,
      handle: async ({ path, body: { reserves, fromWallets, isDraft } }) => {
        for (const each of reserves) demandNetwork(view, each);
        const own = fromWallets ? await ofWallets({ view, controls, wallet }, reserves) : [];
        const given = [...reserves, ...own];
        if (given.length === 0)
          throw badRequest("The request contains no reserves. Send `reserves`, or `fromWallets`: true.");
        return created(await audits.addReserves(path.seq, given, isDraft));
      },
    }),
  ];
}

/** Rejects unknown networks: an address under two network names would be counted twice. */
function demandNetwork(view: AdminNode["view"], { asset, network }: GivenReserve): void {
  const spec = view.assets().find(({ spec: { asset: listed } }) => listed === asset)?.spec;
  if (spec?.networks.some((each) => each.network === network) === true) return;
  throw badRequest(`${asset} is not listed on the network ${network}.`);
}

/** The current balances of the node's wallets. Throws `Rejection` if a chain is unreachable. */
async function ofWallets(
  { view, controls, wallet }: Omit<ReserveParts, "audits">,
  besides: readonly GivenReserve[],
): Promise<GivenReserve[]> {
  const placeOf = ({ asset, network, address }: Omit<GivenReserve, "block" | "amount" | "signature">): string =>
    `${asset} ${network} ${address.toLowerCase()}`;
  const seen = new Set(besides.map(placeOf));
  const precisionOf = new Map(view.assets().map(({ spec }) => [spec.asset, spec.precision]));
  const held: GivenReserve[] = [];
  for (const { network, wallets, trouble } of await controls.holdings()) {
    const isChain = wallet.networks().some((each) => each.network === network && each.kind === "evm");
    if (wallets === null && isChain) throw new Rejection(409, "NOT_POSSIBLE", `${network}: ${trouble}.`);
    for (const { asset, address, amount, block } of wallets ?? []) {
      const decimals = precisionOf.get(asset);
      const place = placeOf({ asset, network, address });
      // The native coin that pays for gas may be unlisted.
      if (decimals === undefined || seen.has(place)) continue;
      seen.add(place);
      held.push({ asset, network, address, block, amount: shortened(amount, decimals), signature: "" });
    }
  }
  return held;
}

/** Rounds down to the ledger's decimals: chains have more digits, and reserves must not be overstated. */
function shortened(amount: string, decimals: number): string {
  const [whole = "0", rest = ""] = amount.split(".");
  return decimals === 0 || rest === "" ? whole : `${whole}.${rest.slice(0, decimals)}`;
}
