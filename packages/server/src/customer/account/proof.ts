/** The last published proof of liabilities: what all see, and to each customer their own part. */
import type { PublishedProof } from "@pricetime/engine";
import { z } from "zod";
import { AuditRefused } from "../../proof/folder/port.ts";
import { WEIGHTS } from "./limits.ts";
import { ofAccount, ownAccount, queryOf } from "./parse.ts";
import {
  type AccountAnswer,
  type AccountParts,
  AccountRefused,
  type AccountRoute,
  ok,
  own,
} from "./port.ts";
import { PublicParts } from "./public-parts.ts";

const querySchema = z.strictObject(ofAccount);
const LINES_TYPE = "application/x-ndjson";

export function proofRoutes(parts: AccountParts): AccountRoute[] {
  const { audits } = parts;
  const publicParts = new PublicParts(audits);
  return [
    {
      method: "GET",
      path: "proof/published",
      isOpen: true,
      handle: () => ok(lastProof(parts)),
    },
    {
      method: "GET",
      path: "proof/public",
      isOpen: true,
      weight: WEIGHTS.read,
      handle: async () => fileOf(await kept(() => publicParts.textOf(lastProof(parts))), "public.jsonl", LINES_TYPE),
    },
    own({
      method: "GET",
      path: "proof",
      weight: WEIGHTS.read,
      handle: async (request) => {
        const account = ownAccount(parts, request, queryOf(querySchema, request).account);
        const published = lastProof(parts);
        const text = await kept(async () => {
          // Whoever has the public part of another one cannot check this one.
          await publicParts.textOf(published);
          return audits.customerPart(published.seq, account);
        });
        return fileOf(text, `customer-${account.accountId}.json`, "application/json");
      },
    }),
  ];
}

function lastProof({ view }: AccountParts): PublishedProof {
  const published = view.venue.lastProof;
  if (published !== null) return published;
  throw new AccountRefused(404, "NO_PROOF", "The venue has not published a proof of what it owes.");
}

/** Turns reasons for operators into one for customers. */
async function kept(read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AuditRefused)) throw error;
    throw new AccountRefused(503, "PROOF_NOT_READY", "The proof cannot be read at the moment: ask again later.");
  }
}

/** As a file, since checkers read its bytes. */
function fileOf(text: string, fileName: string, type: string): AccountAnswer {
  return { status: 200, body: null, stream: whole(text), type, fileName };
}

async function* whole(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}
