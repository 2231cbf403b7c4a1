/** The last published proof of liabilities: its public part, and the part of each customer. */
import type { PublishedProof } from "@pricetime/engine";
import { AuditRefused } from "../../funds/proof/folder/port.ts";
import { asFile, type CustomerAnswer, CustomerRefused } from "./answer.ts";
import {
  type Asked,
  askedAccount,
  type CustomerParts,
  type CustomerRoute,
  LOOK,
  ofAccountQuery,
  READ,
  type SignedIn,
} from "./route.ts";

/** Lines of JSON. */
const PUBLIC_TYPE = "application/x-ndjson";
const CUSTOMER_TYPE = "application/json";

/** The body is null before the first proof is published. */
function published(_: Asked, { view }: CustomerParts): CustomerAnswer {
  return { status: 200, headers: [], body: view.venue.lastProof, keeping: "for a moment" };
}

async function publicPart({ nowMs }: Asked, parts: CustomerParts): Promise<CustomerAnswer> {
  const text = await kept(() => parts.publicParts.textOf(lastProof(parts), nowMs));
  return { ...asFile(text, "public.jsonl", PUBLIC_TYPE), keeping: "for a moment" };
}

async function customerPart(asked: SignedIn, parts: CustomerParts): Promise<CustomerAnswer> {
  const account = askedAccount(parts, asked);
  const proof = lastProof(parts);
  const text = await kept(async () => {
    // A part can be verified only with the public part of the same proof.
    await parts.publicParts.textOf(proof, asked.nowMs);
    return parts.audits.customerPart(proof.seq, account);
  });
  return asFile(text, `customer-${account.accountId}.json`, CUSTOMER_TYPE);
}

function lastProof({ view }: CustomerParts): PublishedProof {
  const proof = view.venue.lastProof;
  if (proof === null) throw new CustomerRefused("NO_PROOF");
  return proof;
}

/** Replaces error messages for operators with one for customers. */
async function kept(read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AuditRefused) throw new CustomerRefused("PROOF_NOT_READY");
    throw error;
  }
}

export const PROOF_ROUTES: readonly CustomerRoute[] = [
  {
    method: "GET",
    path: "/proof",
    weight: READ,
    summary: "Downloads the account's part of the last published proof of liabilities.",
    answers: "A file for the checker.",
    query: ofAccountQuery,
    handle: customerPart,
  },
  {
    method: "GET",
    path: "/proof/public",
    isOpen: true,
    isPublic: true,
    weight: READ,
    summary: "Downloads the public part of the last published proof.",
    answers: "Lines of JSON.",
    types: [PUBLIC_TYPE],
    handle: publicPart,
  },
  {
    method: "GET",
    path: "/proof/published",
    isOpen: true,
    isPublic: true,
    weight: LOOK,
    summary: "Returns number, root and time of the last published proof.",
    answers: "`number`, `seq`, `root`, `previous`, `publishedMs`; null before the first is published.",
    handle: published,
  },
];
