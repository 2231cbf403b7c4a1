/**
 * Creates a proof in a data folder from its journal, and adds reserves to a proof. Used by the command line and by a
 * node's audit thread.
 */
import { masterKeyCheck } from "../../../platform/config/master-key.ts";
import { FolderInUse, type FolderLock, lockFolder } from "../../../journal/storage/data-folder.ts";
import type { Place } from "../proof.ts";
import {
  checkAddresses,
  type Reserve,
  reservesOf,
  reserveText,
  type SignedStatement,
  withReserves,
} from "../statement.ts";
import { storeProof, storedProof, proofsFolder, replacePublicPart } from "./stored-proofs.ts";
import { AuditRefused, type GivenReserve, type ReserveRow, type ReservesOfAsset, type ShownReserves } from "./port.ts";
import { stateAt, type StateAtOptions } from "./state-at.ts";
import { formatDecimal, parseDecimal } from "@pricetime/engine";
import { signingKeyOf } from "../keys.ts";
import { demand } from "../lines.ts";

export interface MakeProofOptions extends Omit<StateAtOptions, "visit"> {
  readonly dataFolder: string;
  readonly masterKey: string;
  /** The proof's number and predecessor, if it was published. Default: the proof follows the newest one. */
  readonly place?: Place | undefined;
}

/**
 * Creates and stores a proof. Throws `AuditRefused`, `ProofRefused` for an invalid stored public part, and the errors
 * of `stateAt`.
 */
export function makeProof(options: MakeProofOptions): SignedStatement {
  const { dataFolder, masterKey } = options;
  const lock = lockProofs(dataFolder);
  try {
    const state = stateAt(options);
    const check = state.engine.masterKeyCheck;
    if (check !== "" && check !== masterKeyCheck(masterKey)) {
      throw new AuditRefused("NOT_POSSIBLE", "The master key is not the one that this journal was created with.");
    }
    return storeProof(dataFolder, state, masterKey, options.place);
  } finally {
    lock.release();
  }
}

/** Locked because two proofs created at the same time would both name the same predecessor. */
function lockProofs(dataFolder: string): FolderLock {
  try {
    return lockFolder(proofsFolder(dataFolder));
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    throw new AuditRefused("BUSY", "Another proof of this data folder is being created. Try again later.", {
      cause: error,
    });
  }
}

interface AddOptions {
  readonly dataFolder: string;
  readonly seq: number;
  readonly given: readonly GivenReserve[];
  /** Whether to check the reserves without storing them. */
  readonly isDraft: boolean;
  readonly masterKey: string;
}

/** Adds reserves to a stored proof. Rejects with `AuditRefused` or `ProofRefused`. */
export async function addReserves({ dataFolder, seq, given, isDraft, masterKey }: AddOptions): Promise<ShownReserves> {
  const lock = lockProofs(dataFolder);
  try {
    const kept = storedProof(dataFolder, seq);
    const bare: SignedStatement = {
      ...kept,
      reserves: null,
      text: kept.text.split("\n").slice(0, 2).join("\n") + "\n",
    };
    const added = withReserves(
      bare,
      given.map((each) => inUnits(kept, each)),
      signingKeyOf(masterKey),
    );
    demand(added.reserves?.publicKey === kept.publicKey, "the proof is signed with another key than this node's");
    if (isDraft) return { ...shownReserves(added), digest: null };
    await checkAddresses({ reserves: added.reserves.reserves }, kept.digest);
    if (kept.reserves !== null && kept.reserves.digest !== added.reserves.digest) {
      throw new AuditRefused("NOT_POSSIBLE", "This proof already has other reserves, which cannot be changed.");
    }
    if (kept.reserves === null) replacePublicPart(dataFolder, added);
    return shownReserves(added);
  } finally {
    lock.release();
  }
}

/** Converts the amount to the asset's smallest units. Throws `AuditRefused`. */
function inUnits({ statement }: SignedStatement, { asset, amount, ...rest }: GivenReserve): Reserve {
  const decimals = statement.assets.find((each) => each.asset === asset)?.decimals;
  if (decimals === undefined) throw new AuditRefused("NOT_POSSIBLE", `The proof has no asset ${asset}.`);
  const units = parseDecimal(amount, decimals);
  if (units === null) throw new AuditRefused("NOT_POSSIBLE", `${asset}: ${amount} has more than ${decimals} decimals`);
  const { network, address, block, signature } = rest;
  return {
    asset,
    network,
    address,
    block,
    amount: String(units),
    signature: signature.replace(/^0x/, "").toLowerCase(),
  };
}

export function shownReserves({ statement, digest, reserves }: SignedStatement): ShownReserves {
  const all = reserves?.reserves ?? [];
  const decimalsOf = new Map(statement.assets.map(({ asset, decimals }) => [asset, decimals]));
  const assets = statement.assets.map(({ asset, total, decimals }): ReservesOfAsset => {
    const decimal = (units: bigint): string => formatDecimal(units, decimals, decimals);
    const held = reservesOf(all, asset);
    const about = { asset, owed: decimal(BigInt(total)) };
    if (held === null) return { ...about, reserves: null, surplus: null };
    return { ...about, reserves: decimal(held), surplus: decimal(held - BigInt(total)) };
  });
  const rows = all.map((each): ReserveRow => {
    const decimals = decimalsOf.get(each.asset) ?? 0;
    const amount = formatDecimal(BigInt(each.amount), decimals, decimals);
    return { ...each, amount, text: reserveText(digest, each) };
  });
  return { statement: digest, digest: reserves?.digest ?? null, assets, reserves: rows };
}
