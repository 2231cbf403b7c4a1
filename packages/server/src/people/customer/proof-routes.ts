/** The last published proof of liabilities: its public part, and each customer's part. */
import type { PublishedProof } from "@pricetime/engine";
import { AuditRefused } from "../../funds/proof/folder/port.ts";
import { rejected } from "./rejections.ts";
import { type Answer, asFile, ok } from "../http/answer.ts";
import { ANSWERS } from "./answers.ts";
import {
  type AccountRoute,
  type Asked,
  askedAccount,
  type CustomerParts,
  LOOK,
  type OfAccount,
  ofAccountQuery,
  openRoute,
  ownRoute,
  READ,
} from "./route.ts";

/** JSON Lines. */
const PUBLIC_TYPE = "application/x-ndjson";
const CUSTOMER_TYPE = "application/json";

/** The body is null until the first proof is published. */
function published(_: Asked, { view }: CustomerParts): Answer {
  return { ...ok(view.venue.lastProof), keeping: "for a moment" };
}

async function publicPart({ nowMs }: Asked, parts: CustomerParts): Promise<Answer> {
  const text = await kept(() => parts.publicParts.textOf(lastProof(parts), nowMs));
  return { ...asFile(text, "public.jsonl", PUBLIC_TYPE), keeping: "for a moment" };
}

async function customerPart(asked: OfAccount, parts: CustomerParts): Promise<Answer> {
  const account = askedAccount(parts, asked);
  const proof = lastProof(parts);
  const text = await kept(async () => {
    // A customer's part can be verified only together with the public part of the same proof.
    await parts.publicParts.textOf(proof, asked.nowMs);
    return parts.audits.customerPart(proof.seq, account);
  });
  return asFile(text, `customer-${account.accountId}.json`, CUSTOMER_TYPE);
}

function lastProof({ view }: CustomerParts): PublishedProof {
  const proof = view.venue.lastProof;
  if (proof === null) throw rejected("NO_PROOF");
  return proof;
}

/** Replaces error messages for operators by one for customers. */
async function kept(read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AuditRefused) throw rejected("PROOF_NOT_READY");
    throw error;
  }
}

export const PROOF_ROUTES: readonly AccountRoute[] = [
  ownRoute({
    endpoint: "GET /proof",
    weight: READ,
    summary: "Downloads the account's part of the last published proof of liabilities.",
    answers: "A file for the checker.",
    query: ofAccountQuery,
    handle: customerPart,
  }),
  openRoute({
    endpoint: "GET /proof/public",
    needs: "anyone",
    weight: READ,
    summary: "Downloads the public part of the last published proof.",
    answers: "Lines of JSON.",
    types: [PUBLIC_TYPE],
    handle: publicPart,
  }),
  openRoute({
    endpoint: "GET /proof/published",
    needs: "anyone",
    weight: LOOK,
    summary: "Returns number, root and time of the last published proof.",
    answer: ANSWERS.published,
    answers: "`number`, `seq`, `root`, `previous`, `publishedMs`; null before the first is published.",
    handle: published,
  }),
];
