/** Queries about the venue as a whole: stops, proposals, coins of nobody, published proofs. */
import type { ProposalRecord } from "../entry/proposal-record.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { Adjust, SettleUnknownDeposit } from "../entry/venue-command.ts";
import type { CoinId } from "../entry/wallet-command.ts";
import type {
  ApprovalRules,
  BreakGlassRecord,
  PublishedProof,
  StopRecord,
  StopScope,
  UnknownDepositRecord,
} from "../entry/venue-record.ts";

export interface VenueView {
  stops(): Iterable<StopRecord>;
  isStopped(scope: StopScope, nowMs: number): boolean;
  /** Whether the asset's coins may not move on the network, in or out. */
  stopsCoin(asset: string, network: string, nowMs: number): boolean;
  /** Whether the asset's coins may leave by no network, or not by this one. */
  stopsWithdrawing(asset: string, network: string, nowMs: number): boolean;
  readonly approvalRules: ApprovalRules;
  readonly breakGlass: BreakGlassRecord | null;
  proposal(proposalId: string): ProposalRecord | undefined;
  proposals(): Iterable<ProposalRecord>;
  unknownDeposits(): Iterable<UnknownDepositRecord>;
  unknownDeposit(coin: CoinId): UnknownDepositRecord | undefined;
  /** Whether the coin was noted as nobody's and is not a customer's since: it waits, or was settled. */
  isNoted(coin: CoinId): boolean;
  /**
   * How the command compares with an earlier one of the same reference or deposit. Null: there is none; ALREADY_EXISTS: it
   * says the same.
   */
  repeatOf(command: Adjust | SettleUnknownDeposit): RejectReason | null;
  /** Null: none was published. */
  readonly lastProof: PublishedProof | null;
}
