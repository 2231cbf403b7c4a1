/**
 * Fetches the last published proof of liabilities, with the parts of this account and of its sub-accounts, and verifies
 * them.
 */
import { deniedOf } from "../pages/request.ts";
import { type Checked, type CheckedPublic, checkProof } from "../proof/check-proof.ts";
import { ProofFault } from "../proof/proof-files.ts";
import { customerProof as words, proofFaults } from "../words/words.ts";
import type { Profile, Session } from "@pricetime/server/answers";
import type { Wire } from "./client.ts";

export type Outcome =
  /** No proof has been published yet. */
  | { readonly kind: "none" }
  | { readonly kind: "fault"; readonly text: string }
  | {
      readonly kind: "holds";
      readonly checked: CheckedPublic;
      readonly publicText: string;
      /** The verified parts, the signed-in account's first. */
      readonly parts: readonly CheckedPart[];
    };

export interface CheckedPart extends Pick<Checked, "customer"> {
  /** The text of the file, unchanged. */
  readonly text: string;
}

interface Published {
  /** The digest of the public part. */
  readonly root: string;
}

interface Options {
  readonly wire: Wire;
  readonly session: Pick<Session, "accountId">;
  /** Resolves after `ms` milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
}

/** Number of parts fetched without a pause: half of the requests that the node allows an IP address per minute. */
const PARTS_IN_A_ROW = 60;
const PAUSE_MS = 60_000;

/**
 * Verifies the parts of this account and its sub-accounts, with pauses if there are many. The promise never rejects.
 */
export async function checkOwnParts({ wire, session, pause }: Options): Promise<Outcome> {
  try {
    const published = await wire.account<Published | null>("GET", "proof/published");
    if (published === null) return { kind: "none" };
    const publicText = await (await wire.file("proof/public")).text();
    const { subAccounts } = await wire.account<Profile>("GET", "profile");
    const parts: CheckedPart[] = [];
    let checked: CheckedPublic | null = null;
    for (const { accountId, email } of [{ accountId: session.accountId, email: "" }, ...subAccounts]) {
      if (parts.length > 0 && parts.length % PARTS_IN_A_ROW === 0) await pause(PAUSE_MS);
      const query = accountId === session.accountId ? {} : { account: accountId };
      const text = await (await wire.file("proof", query)).text();
      try {
        checked = await checkPart(publicText, text, { root: published.root, accountId, email });
      } catch (error) {
        if (!(error instanceof ProofFault) || email === "") throw error;
        return { kind: "fault", text: words.ofSubAccount(email, proofFaults[error.fault](error.about)) };
      }
      parts.push({ customer: (checked as Checked).customer, text });
    }
    return checked === null ? { kind: "none" } : { kind: "holds", checked, publicText, parts };
  } catch (error) {
    if (error instanceof ProofFault) return { kind: "fault", text: proofFaults[error.fault](error.about) };
    return { kind: "fault", text: deniedOf(error).message };
  }
}

interface Wanted {
  readonly root: string;
  readonly accountId: number;
  /** The sub-account's email; "" for the signed-in account. */
  readonly email: string;
}

/** Verifies one part. Rejects with `ProofFault` if it is invalid. */
async function checkPart(publicText: string, text: string, { root, accountId, email }: Wanted): Promise<Checked> {
  const checked = await checkProof(publicText, text);
  // `root` is the digest in the journal, which is the proof that was published to all customers.
  if (checked.digest !== root) throw new ProofFault("notPublished");
  const { customer } = checked;
  // The part must be this account's, because a valid part of another account proves nothing about it.
  const isOwn = customer.accountId === accountId && (email === "" || customer.email === email);
  if (!isOwn) throw new ProofFault("ofAnother");
  return checked;
}
