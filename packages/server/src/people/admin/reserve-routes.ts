/** Routes of reserves: what addresses of the venue held, shown beside what it owes. */
import { z } from "zod";
import { type GivenReserve, MAX_RESERVES } from "../../funds/proof/folder/port.ts";
import { AdminRefusal, created } from "./answer.ts";
import { listRoute } from "./list-route.ts";
import type { AdminNode } from "./node.ts";
import { parseWith } from "./parse.ts";
import { type Route, route } from "./router.ts";

const seqPath = z.object({ seq: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER) });
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

export function reserveRoutes({ view, audits, controls, wallet }: ReserveParts): Route[] {
  return [
    listRoute({
      pattern: "/v1/proofs/:seq/reserves",
      summary: "Returns the reserves published with a proof, the liabilities to customers, and the surplus, by asset.",
      answers: "`reserves` of an asset is null when none are published.",
      columns: ["asset", "owed", "reserves", "surplus"],
      page: async ({ path }) => {
        const shown = await audits.reserves(parseWith(seqPath, path).seq);
        return { rows: shown.assets, body: shown };
      },
    }),
    route({
      method: "POST",
      pattern: "/v1/proofs/:seq/reserves",
      needs: "money",
      summary: "Publishes reserves in the public part of a proof. This cannot be undone.",
      answers: "The published reserves, with the text to be signed for each address.",
      status: 201,
      body: addSchema,
      handle: async ({ path, body: { reserves, fromWallets, isDraft } }) => {
        const { seq } = parseWith(seqPath, path);
        for (const each of reserves) demandNetwork(view, each);
        const own = fromWallets ? await ofWallets({ view, controls, wallet }, reserves) : [];
        const given = [...reserves, ...own];
        if (given.length === 0)
          throw new AdminRefusal(
            400,
            "BAD_REQUEST",
            "The request contains no reserves. Send `reserves`, or `fromWallets`: true.",
          );
        return created(await audits.addReserves(seq, given, isDraft));
      },
    }),
  ];
}

/** One network under two names would count an address twice. */
function demandNetwork(view: AdminNode["view"], { asset, network }: GivenReserve): void {
  const spec = view.assets().find(({ spec: { asset: listed } }) => listed === asset)?.spec;
  if (spec?.networks.some((each) => each.network === network) === true) return;
  throw new AdminRefusal(400, "BAD_REQUEST", `${asset} is not listed on the network ${network}.`);
}

/** Throws `AdminRefusal` where a chain cannot be asked: reserves that are shown stay as they are. */
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
    if (wallets === null && isChain) throw new AdminRefusal(409, "NOT_POSSIBLE", `${network}: ${trouble}.`);
    for (const { asset, address, amount, block } of wallets ?? []) {
      const decimals = precisionOf.get(asset);
      const place = placeOf({ asset, network, address });
      // Coins for gas need not be listed, and gas may be paid from the hot wallet.
      if (decimals === undefined || seen.has(place)) continue;
      seen.add(place);
      held.push({ asset, network, address, block, amount: shortened(amount, decimals), signature: "" });
    }
  }
  return held;
}

/** Chains have more digits than the ledger: what is shown is never more than there is. */
function shortened(amount: string, decimals: number): string {
  const [whole = "0", rest = ""] = amount.split(".");
  return decimals === 0 || rest === "" ? whole : `${whole}.${rest.slice(0, decimals)}`;
}
