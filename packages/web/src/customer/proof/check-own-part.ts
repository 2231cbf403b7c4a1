/** Fetches both parts of the last published proof and checks them. */
import { refusalOf } from "../../pages/denied.ts";
import { type Checked, checkProof } from "../../proof/check-proof.ts";
import { ProofFault } from "../../proof/proof-files.ts";
import { customerProof as words, proofFaults } from "../../words/words.ts";
import type { Session } from "../wire/account.ts";
import type { Wire } from "../wire/wire.ts";

export type Outcome =
  /** Nothing was published yet. */
  | { readonly kind: "none" }
  | { readonly kind: "fault"; readonly text: string }
  | { readonly kind: "holds"; readonly checked: Checked; readonly publicText: string; readonly ownText: string };

interface Published {
  /** The digest of the public part. */
  readonly root: string;
}

/** Never rejects. */
export async function checkOwnPart(wire: Wire, session: Pick<Session, "accountId">): Promise<Outcome> {
  try {
    const published = await wire.account<Published | null>("GET", "proof/published");
    if (published === null) return { kind: "none" };
    const files = await Promise.all([wire.file("proof/public"), wire.file("proof")]);
    const [publicText, ownText] = (await Promise.all(files.map((file) => file.text()))) as [string, string];
    const checked = await checkProof(publicText, ownText);
    // The journal has the digest of the one that all were told of.
    if (checked.digest !== published.root) return { kind: "fault", text: words.notPublished };
    const { accountId } = checked.customer;
    // A part that holds, and is another's, says nothing of this account.
    if (accountId !== session.accountId) return { kind: "fault", text: words.ofAnother };
    return { kind: "holds", checked, publicText, ownText };
  } catch (error) {
    if (error instanceof ProofFault) return { kind: "fault", text: proofFaults[error.fault](error.about) };
    return { kind: "fault", text: refusalOf(error) };
  }
}
