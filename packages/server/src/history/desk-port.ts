/** The part of the history port about what operators see to: adjustments, notes on accounts, coins of nobody. */
import type { AdjustmentCategory, CoinId, DepositStatus, HouseAccount, UnknownDepositReason } from "@pricetime/engine";

/** Newest first. */
interface DeskPage {
  /** Only what was journaled before this entry. */
  readonly beforeSeq?: number | undefined;
  readonly limit: number;
}

export interface AdjustmentsQuestion extends DeskPage {
  readonly accountId?: number | undefined;
}
export interface AdjustmentRow {
  readonly seq: number;
  readonly timeMs: number;
  readonly accountId: number;
  readonly asset: string;
  /** A decimal, below zero when the account paid. */
  readonly amount: string;
  readonly house: HouseAccount;
  readonly category: AdjustmentCategory;
  readonly why: string;
  readonly reference: string;
  readonly by: string;
}

export interface NotesQuestion extends DeskPage {
  readonly accountId: number;
}
export interface NoteRow {
  readonly seq: number;
  readonly timeMs: number;
  readonly accountId: number;
  readonly text: string;
  readonly by: string;
}

/** seen: it waits for an operator; deposit: it turned out to be a customer's. */
export const UNKNOWN_DEPOSIT_STATUSES = ["seen", "credit", "keep", "dismiss", "deposit"] as const;
export type UnknownDepositStatus = (typeof UNKNOWN_DEPOSIT_STATUSES)[number];

export interface UnknownDepositsQuestion extends DeskPage {
  /** Absent: whatever became of them. */
  readonly status?: UnknownDepositStatus | undefined;
}
export interface UnknownDepositRow {
  readonly seq: number;
  readonly seenMs: number;
  readonly network: string;
  readonly txId: string;
  readonly output: number;
  readonly address: string;
  readonly tag: string;
  readonly coin: string;
  readonly amount: string;
  readonly reason: UnknownDepositReason;
  readonly status: UnknownDepositStatus;
  /** Whose it became; null: nobody's. */
  readonly accountId: number | null;
  readonly why: string;
  readonly updateTimeMs: number;
}

export interface BookedDepositQuestion {
  readonly coin: CoinId;
  /** Its number, where it is known: then it is found however old it is, else among the newest. */
  readonly depositId: number | undefined;
}
export interface BookedDepositRow {
  readonly depositId: number;
  readonly network: string;
  readonly txId: string;
  readonly output: number;
  readonly accountId: number;
  readonly asset: string;
  readonly amount: string;
  readonly address: string;
  readonly tag: string;
  readonly status: DepositStatus;
  readonly insertTimeMs: number;
  readonly updateTimeMs: number;
}

export interface DeskHistory {
  adjustments(seq: number, question: AdjustmentsQuestion): Promise<readonly AdjustmentRow[]>;
  notes(seq: number, question: NotesQuestion): Promise<readonly NoteRow[]>;
  unknownDeposits(seq: number, question: UnknownDepositsQuestion): Promise<readonly UnknownDepositRow[]>;
  unknownDeposit(seq: number, coin: CoinId): Promise<UnknownDepositRow | undefined>;
  /** One that is pending, credited or final. */
  bookedDeposit(seq: number, question: BookedDepositQuestion): Promise<BookedDepositRow | undefined>;
}
