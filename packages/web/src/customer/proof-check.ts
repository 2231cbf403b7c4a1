/** Fetches the last published proof, with the part of this account and of each sub-account, and checks them all. */
import { refusalOf } from "../pages/request.ts";
import { type Checked, type CheckedPublic, checkProof } from "../proof/check-proof.ts";
import { ProofFault } from "../proof/proof-files.ts";
import { customerProof as words, proofFaults } from "../words/words.ts";
import type { Profile, Session } from "./api-types.ts";
import type { Wire } from "./client.ts";

export type Outcome =
  /** Nothing was published yet. */
  | { readonly kind: "none" }
  | { readonly kind: "fault"; readonly text: string }
  | {
      readonly kind: "holds";
      readonly checked: CheckedPublic;
      readonly publicText: string;
      /** This account's first. */
      readonly parts: readonly CheckedPart[];
    };

export interface CheckedPart extends Pick<Checked, "customer"> {
  /** The file as it came. */
  readonly text: string;
}

interface Published {
  /** The digest of the public part. */
  readonly root: string;
}

interface Options {
  readonly wire: Wire;
  readonly session: Pick<Session, "accountId">;
  /** Resolves after so many milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
}

/** So many parts are fetched in a row: half of what an address may ask for in a minute. */
const PARTS_IN_A_ROW = 60;
const PAUSE_MS = 60_000;

/** Never rejects. Somebody with more sub-accounts than are fetched in a row waits. */
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
    return { kind: "fault", text: refusalOf(error) };
  }
}

interface Wanted {
  readonly root: string;
  readonly accountId: number;
  /** The sub-account's; "": it is the account that is signed in. */
  readonly email: string;
}

/** Rejects with `ProofFault`. */
async function checkPart(publicText: string, text: string, { root, accountId, email }: Wanted): Promise<Checked> {
  const checked = await checkProof(publicText, text);
  // The journal has the digest of the one that all were told of.
  if (checked.digest !== root) throw new ProofFault("notPublished");
  const { customer } = checked;
  // A part that holds, and is another's, says nothing of this account.
  const isOwn = customer.accountId === accountId && (email === "" || customer.email === email);
  if (!isOwn) throw new ProofFault("ofAnother");
  return checked;
}
