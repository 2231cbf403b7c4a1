import type {
  ApprovalRules,
  BreakGlassRecord,
  PublishedProof,
  StopRecord,
  StopScope,
  UnknownDepositRecord,
} from "../entry/venue-record.ts";
import type { ProposalRecord } from "../entry/proposal-record.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { Adjust, SettleUnknownDeposit } from "../entry/venue-command.ts";
import type { CoinId } from "../entry/wallet-command.ts";
import { repeatOfAdjustment } from "./adjust.ts";
import { repeatOfDecision } from "./unknown-deposits.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import type { VenueView } from "../view/venue-view.ts";

export class VenueReader implements VenueView {
  readonly #state: ExchangeState;

  constructor(state: ExchangeState) {
    this.#state = state;
  }

  stops(): Iterable<StopRecord> {
    return this.#state.stops.all();
  }
  isStopped(scope: StopScope, nowMs: number): boolean {
    return this.#state.stops.isOn(scope, nowMs);
  }
  stopsCoin(asset: string, network: string, nowMs: number): boolean {
    return this.#state.stops.stopsCoin(asset, network, nowMs);
  }
  stopsWithdrawing(asset: string, network: string, nowMs: number): boolean {
    return this.#state.stops.stopsWithdrawing(asset, network, nowMs);
  }
  get approvalRules(): ApprovalRules {
    return this.#state.proposals.rules;
  }
  get breakGlass(): BreakGlassRecord | null {
    return this.#state.proposals.breakGlass;
  }
  proposal(proposalId: string): ProposalRecord | undefined {
    return this.#state.proposals.get(proposalId);
  }
  proposals(): Iterable<ProposalRecord> {
    return this.#state.proposals.all();
  }
  unknownDeposits(): Iterable<UnknownDepositRecord> {
    return this.#state.unknownDeposits.all();
  }
  unknownDeposit(coin: CoinId): UnknownDepositRecord | undefined {
    return this.#state.unknownDeposits.get(coin);
  }
  isNoted(coin: CoinId): boolean {
    return this.#state.unknownDeposits.isTaken(coin);
  }
  repeatOf(command: Adjust | SettleUnknownDeposit): RejectReason | null {
    return command.type === "adjust"
      ? repeatOfAdjustment(this.#state, command)
      : repeatOfDecision(this.#state, command);
  }
  get lastProof(): PublishedProof | null {
    return this.#state.lastProof;
  }
}
