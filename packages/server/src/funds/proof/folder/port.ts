/** What a node requests of its data folder about what it owes. The work is done in a thread that may take its time. */
import type { PublishedProof } from "@pricetime/engine";
import type { EntriesQuestion, JournalEntries } from "../../../journal/port.ts";
import type { HouseAccount } from "../statement.ts";

export { MAX_RESERVES } from "../lines.ts";

/** The name of a public part, in a data folder and where it is handed out. */
export const PUBLIC_PART = "public.jsonl";

/** A proof that is kept. */
export interface ProofSummary {
  readonly number: number;
  readonly seq: number;
  readonly timeMs: number;
  /** SHA-256 of the statement, 64 hex digits: what people compare. */
  readonly digest: string;
  readonly publicKey: string;
}

/** What the journal is to say of a proof: see `PublishProof`. */
export type Publication = Pick<PublishedProof, "number" | "seq" | "root" | "previous">;

export interface AssetTreasury {
  readonly asset: string;
  /** What customers have: free, locked by orders and withdrawals, and of that what open withdrawals will take out. */
  readonly customers: string;
  readonly locked: string;
  readonly leaving: string;
  readonly holders: number;
  /** The venue's own accounts; `arriving`: coins that a chain has shown and that are nobody's yet. */
  readonly house: Readonly<Record<HouseAccount, string>>;
  /** What came in less what went out. */
  readonly net: string;
  /** `net` less all that accounts hold: 0, unless the ledger is wrong. */
  readonly difference: string;
  /** Amounts by reason; what went out stands under `out`. Absent: not asked for. */
  readonly flows?: Flows;
}

export interface Flows {
  readonly in: Readonly<Record<string, string>>;
  readonly out: Readonly<Record<string, string>>;
  /** All that came in less all that went out. */
  readonly net: string;
}

export interface Treasury {
  readonly seq: number;
  readonly timeMs: number;
  readonly chainHash: string;
  readonly stateHash: string;
  /** Whether every difference is 0, and flows, if they were asked for, add up to the same. */
  readonly isBalanced: boolean;
  readonly assets: readonly AssetTreasury[];
}

/** What one address held of an asset. `amount` is a decimal; `signature` as `Reserve` has it. */
export interface GivenReserve {
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly block: number;
  readonly amount: string;
  readonly signature: string;
}

/** Reserves beside a proof, as they are shown or would be. */
export interface ShownReserves {
  /** The digest of the statement that they stand beside. */
  readonly statement: string;
  /** That of the line of reserves; null: it was only tried, or none are shown. */
  readonly digest: string | null;
  readonly assets: readonly ReservesOfAsset[];
  readonly reserves: readonly ReserveRow[];
}

export interface ReservesOfAsset {
  readonly asset: string;
  /** What customers have of it. */
  readonly owed: string;
  /** Null: none is shown. */
  readonly reserves: string | null;
  /** Reserves less what is owed; null where none is shown. */
  readonly surplus: string | null;
}

export interface ReserveRow extends GivenReserve {
  /** What the key of the address signs. */
  readonly text: string;
}

export interface Audits {
  /** The reserves that are shown beside the proof of a position. Rejects with `AuditRefused`. */
  reserves(seq: number): Promise<ShownReserves>;
  /**
   * Puts reserves beside the proof of a position, for ever. `isDraft`: checks them and tells what addresses would sign,
   * and keeps nothing. Rejects with `AuditRefused`.
   */
  addReserves(seq: number, given: readonly GivenReserve[], isDraft: boolean): Promise<ShownReserves>;
  /** What is owed as of the last row that ends with entry `at` or before. Rejects with `AuditRefused`. */
  treasury(question: { readonly at: number; readonly withFlows: boolean }): Promise<Treasury>;
  /** Makes a proof of the same position, or finds the one that is there. Rejects with `AuditRefused`. */
  makeProof(at: number): Promise<ProofSummary>;
  /** Makes a published proof again where it is not kept, or finds it. Rejects with `AuditRefused`. */
  makePublished(published: Publication): Promise<ProofSummary>;
  /** The proof of entry `seq`, with those before it that are not published; `last` is. Rejects with `AuditRefused`. */
  publications(seq: number, last: PublishedProof | null): Promise<readonly Publication[]>;
  /** The newest moment that the journal has drawn for a daily proof; null: none has come. Rejects with `AuditRefused`. */
  newestMoment(nowMs: number): Promise<{ readonly seq: number; readonly atMs: number } | null>;
  /** The newest first. */
  proofs(): Promise<readonly ProofSummary[]>;
  /** The public part of the proof of a position. Rejects with `AuditRefused`. */
  publicPart(seq: number): Promise<string>;
  /** Entries of the journal from one on, or the last before one. Rejects with `AuditRefused`. */
  entries(question: EntriesQuestion): Promise<JournalEntries>;
  /** A customer's part. Rejects with `AuditRefused`. */
  customerPart(seq: number, account: { readonly accountId: number; readonly email: string }): Promise<string>;
}

export type AuditFault = "NO_SUCH_PROOF" | "NO_SUCH_POSITION" | "BUSY" | "NOT_POSSIBLE";

/** Why it cannot be told, in one line for the operator. */
export class AuditRefused extends Error {
  override readonly name = "AuditRefused";
  readonly fault: AuditFault;

  constructor(fault: AuditFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** How many audits of a node may be under way or wait; further callers are told to ask again. */
export const AUDIT_LIMITS = {
  /** Audits that replay the journal: one may take minutes. */
  replays: 1,
  /** Audits that read stored proofs, which takes milliseconds. */
  reads: 64,
};

/** Bounds of proofs that a node makes by itself. */
export const DAILY_LIMITS = {
  /** How often it is looked whether one is due. */
  lookEveryMs: 60_000,
  /** How long after a failure. */
  pauseMs: 10 * 60_000,
  /** How long a moment has passed before it is taken: another node's clock may be a little behind. */
  settleMs: 60_000,
  /** For how many days without any entry an auditor looks for the moment of a proof. */
  idleDays: 7,
};
