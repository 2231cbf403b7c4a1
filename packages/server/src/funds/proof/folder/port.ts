/** A node's requests to its audit threads, about the liabilities in its data folder. */
import type { PublishedProof } from "@pricetime/engine";
import type { EntriesQuery, JournalEntries } from "../../../journal/port.ts";
import type { HouseAccount } from "../statement.ts";

export { MAX_RESERVES } from "../lines.ts";

/** The file name of a public part, in a data folder and in downloads. */
export const PUBLIC_PART = "public.jsonl";

/** A stored proof. */
export interface ProofSummary {
  readonly number: number;
  readonly seq: number;
  readonly timeMs: number;
  /** SHA-256 of the statement, 64 hex digits; customers compare it. */
  readonly digest: string;
  readonly publicKey: string;
}

/** The published facts of a proof: see `PublishProof`. */
export type Publication = Pick<PublishedProof, "number" | "seq" | "root" | "previous">;

export interface AssetTreasury {
  readonly asset: string;
  /**
   * The balances of customers: in total; the part locked by orders and withdrawals; and the part that pending
   * withdrawals will pay out.
   */
  readonly customers: string;
  readonly locked: string;
  readonly leaving: string;
  readonly holders: number;
  /** House accounts; `arriving`: deposits seen on a chain that are not attributed yet. */
  readonly house: Readonly<Record<HouseAccount, string>>;
  /** Total inflow minus total outflow. */
  readonly net: string;
  /** `net` minus all balances: 0, unless the ledger is wrong. */
  readonly difference: string;
  /** Amounts by reason. Absent if not requested. */
  readonly flows?: Flows;
}

export interface Flows {
  readonly in: Readonly<Record<string, string>>;
  readonly out: Readonly<Record<string, string>>;
  /** Total inflow minus total outflow. */
  readonly net: string;
}

export interface Treasury {
  readonly seq: number;
  readonly timeMs: number;
  readonly chainHash: string;
  readonly stateHash: string;
  /** Whether every difference is 0, and requested flows add up to the same. */
  readonly isBalanced: boolean;
  readonly assets: readonly AssetTreasury[];
}

/** The holdings of one address in an asset. `amount` is a decimal; `signature` as in `Reserve`. */
export interface GivenReserve {
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly block: number;
  readonly amount: string;
  readonly signature: string;
}

/** The reserves of a proof, as published or as a draft. */
export interface ShownReserves {
  /** The digest of the proof's statement. */
  readonly statement: string;
  /** The digest of the line of reserves; null for a draft, or without reserves. */
  readonly digest: string | null;
  readonly assets: readonly ReservesOfAsset[];
  readonly reserves: readonly ReserveRow[];
}

export interface ReservesOfAsset {
  readonly asset: string;
  /** The balances of customers. */
  readonly owed: string;
  /** Null if no reserves are shown. */
  readonly reserves: string | null;
  /** Reserves minus liabilities; null if no reserves are shown. */
  readonly surplus: string | null;
}

export interface ReserveRow extends GivenReserve {
  /** The text that the key of the address signs. */
  readonly text: string;
}

export interface Audits {
  /** The reserves of the proof of a position. Rejects with `AuditRefused`. */
  reserves(seq: number): Promise<ShownReserves>;
  /**
   * Permanently adds reserves to the proof of a position. `isDraft`: only checks them and returns the texts to sign.
   * Rejects with `AuditRefused`.
   */
  addReserves(seq: number, given: readonly GivenReserve[], isDraft: boolean): Promise<ShownReserves>;
  /** The liabilities as of the last row that ends with entry `at` or before. Rejects with `AuditRefused`. */
  treasury(question: { readonly at: number; readonly withFlows: boolean }): Promise<Treasury>;
  /** Creates the proof of a position, or finds an existing one. Rejects with `AuditRefused`. */
  makeProof(at: number): Promise<ProofSummary>;
  /** Finds a published proof, or recreates it if it is not stored. Rejects with `AuditRefused`. */
  makePublished(published: Publication): Promise<ProofSummary>;
  /**
   * The proof of entry `seq`, preceded by its unpublished predecessors; `last` is the last published one. Rejects with
   * `AuditRefused`.
   */
  publications(seq: number, last: PublishedProof | null): Promise<readonly Publication[]>;
  /**
   * The newest position drawn from the journal for a daily proof; null if there is none. Rejects with `AuditRefused`.
   */
  newestMoment(nowMs: number): Promise<{ readonly seq: number; readonly atMs: number } | null>;
  /** Newest first. */
  proofs(): Promise<readonly ProofSummary[]>;
  /** The public part of the proof of a position. Rejects with `AuditRefused`. */
  publicPart(seq: number): Promise<string>;
  /** Entries of the journal after a given one, or the last ones before it. Rejects with `AuditRefused`. */
  entries(question: EntriesQuery): Promise<JournalEntries>;
  /** A customer's part. Rejects with `AuditRefused`. */
  customerPart(seq: number, account: { readonly accountId: number; readonly email: string }): Promise<string>;
}

export type AuditFault = "NO_SUCH_PROOF" | "NO_SUCH_POSITION" | "BUSY" | "NOT_POSSIBLE";

/** Why an audit is not possible, in one line for the operator. */
export class AuditRefused extends Error {
  override readonly name = "AuditRefused";
  readonly fault: AuditFault;

  constructor(fault: AuditFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** The most audits of a node that may run or wait; further requests are rejected. */
export const AUDIT_LIMITS = {
  /** Audits that replay the journal; one may take minutes. */
  replays: 1,
  /** Audits that read stored proofs, which takes milliseconds. */
  reads: 64,
};

/** Timing of automatic proofs. */
export const DAILY_LIMITS = {
  /** The interval between checks. */
  lookEveryMs: 60_000,
  /** The pause after a failure. */
  pauseMs: 10 * 60_000,
  /** The delay after which a slot counts as past, because another node's clock may be slightly behind. */
  settleMs: 60_000,
  /** The most days without entries for which a verifier searches the drawn position. */
  idleDays: 7,
};
