/** A node's requests to its audit threads, about the liabilities in its data folder. */
import type { PublishedProof } from "@pricetime/engine";
import type { EntriesQuery, JournalEntries } from "../../../journal/port.ts";
import type { HouseAccount } from "../statement.ts";

export { MAX_RESERVES } from "../lines.ts";

/** The file name of a proof's public part, in a data folder and in downloads. */
export const PUBLIC_PART = "public.jsonl";

/** A stored proof. */
export interface ProofSummary {
  readonly number: number;
  readonly seq: number;
  readonly timeMs: number;
  /** SHA-256 of the statement, 64 hex digits. Customers compare it with each other. */
  readonly digest: string;
  readonly publicKey: string;
}

/** The journaled facts of a published proof: see `PublishProof`. */
export type Publication = Pick<PublishedProof, "number" | "seq" | "root" | "previous">;

export interface AssetTreasury {
  readonly asset: string;
  /**
   * The balances of customers: the total, the part locked by orders and withdrawals, and the part that pending
   * withdrawals will pay out.
   */
  readonly customers: string;
  readonly locked: string;
  readonly leaving: string;
  readonly holders: number;
  /** Balances of the house accounts. `arriving`: deposits seen on a chain but not attributed yet. */
  readonly house: Readonly<Record<HouseAccount, string>>;
  /** Total inflow minus total outflow. */
  readonly net: string;
  /** `net` minus all balances: 0, unless the ledger is wrong. */
  readonly difference: string;
  /** Inflow and outflow by reason. Absent if not requested. */
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
  /** Whether every difference is 0, and the flows (if requested) add up to the net amounts. */
  readonly isBalanced: boolean;
  readonly assets: readonly AssetTreasury[];
}

/** The balance of one address in an asset. `amount` is a decimal; `signature` as in `Reserve`. */
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
  /** The digest of the reserves line; null for a draft or a proof without reserves. */
  readonly digest: string | null;
  readonly assets: readonly ReservesOfAsset[];
  readonly reserves: readonly ReserveRow[];
}

export interface ReservesOfAsset {
  readonly asset: string;
  /** The total balance of customers. */
  readonly owed: string;
  /** Null if the proof has no reserves. */
  readonly reserves: string | null;
  /** Reserves minus liabilities; null if the proof has no reserves. */
  readonly surplus: string | null;
}

export interface ReserveRow extends GivenReserve {
  /** The text to be signed with the key of the address. */
  readonly text: string;
}

export interface Audits {
  /** Resolves to the reserves of the proof at a position. Rejects with `AuditRefused`. */
  reserves(seq: number): Promise<ShownReserves>;
  /**
   * Permanently adds reserves to the proof at a position. With `isDraft`, only checks them and returns the texts to
   * sign. Rejects with `AuditRefused`.
   */
  addReserves(seq: number, given: readonly GivenReserve[], isDraft: boolean): Promise<ShownReserves>;
  /** Computes the liabilities as of the last row that ends at or before entry `at`. Rejects with `AuditRefused`. */
  treasury(question: { readonly at: number; readonly withFlows: boolean }): Promise<Treasury>;
  /** Creates the proof of a position, or returns the existing one. Rejects with `AuditRefused`. */
  makeProof(at: number): Promise<ProofSummary>;
  /** Returns a published proof, and recreates it first if it is not stored. Rejects with `AuditRefused`. */
  makePublished(published: Publication): Promise<ProofSummary>;
  /**
   * Returns the proof of entry `seq`, preceded by the earlier proofs that are not published yet. `last` is the last
   * published proof. Rejects with `AuditRefused`.
   */
  publications(seq: number, last: PublishedProof | null): Promise<readonly Publication[]>;
  /** Resolves to the newest position drawn for a daily proof, or null if there is none. Rejects with `AuditRefused`. */
  newestMoment(nowMs: number): Promise<{ readonly seq: number; readonly atMs: number } | null>;
  /** The stored proofs, newest first. */
  proofs(): Promise<readonly ProofSummary[]>;
  /** The public part of the proof at a position. Rejects with `AuditRefused`. */
  publicPart(seq: number): Promise<string>;
  /** Returns journal entries after a given entry, or the last ones before it. Rejects with `AuditRefused`. */
  entries(question: EntriesQuery): Promise<JournalEntries>;
  /** Returns a customer's part of the proof at a position. Rejects with `AuditRefused`. */
  customerPart(seq: number, account: { readonly accountId: number; readonly email: string }): Promise<string>;
}

export type AuditFault = "NO_SUCH_PROOF" | "NO_SUCH_POSITION" | "BUSY" | "NOT_POSSIBLE";

/** An audit is not possible; the message is the reason in one line, for the operator. */
export class AuditRefused extends Error {
  override readonly name = "AuditRefused";
  readonly fault: AuditFault;

  constructor(fault: AuditFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** Maximum number of audits of a node that run or wait; further requests are rejected. */
export const AUDIT_LIMITS = {
  /** Audits that replay the journal, each of which may take minutes. */
  replays: 1,
  /** Audits that read stored proofs, each of which takes milliseconds. */
  reads: 64,
};

/** Timing of daily proofs. */
export const DAILY_LIMITS = {
  /** The interval between checks. */
  lookEveryMs: 60_000,
  /** The pause after a failure. */
  pauseMs: 10 * 60_000,
  /** How long after its start a slot is considered past. Allows for another node's clock that is slightly behind. */
  settleMs: 60_000,
  /** Maximum number of days without journal entries that a verifier searches for the drawn position. */
  idleDays: 7,
};
