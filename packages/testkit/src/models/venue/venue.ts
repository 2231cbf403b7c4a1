/** What the model's operators have done: stops, operators, rules, proposals, coins of nobody, in plain lists. */
import type { Adjust, ApprovalRules, Command, ProposalCommand, RejectReason, VenueCommand } from "@pricetime/engine";
import type { ModelExchange } from "../exchange.ts";
import type { Happening } from "../happening.ts";
import { endOrders } from "../operator-ends.ts";
import { said } from "../wallet/said.ts";
import { adjust } from "./adjust.ts";
import { changeOperator, type ModelOperator, openOperator } from "./operators.ts";
import {
  approve,
  cancelOrphans,
  changeProposal,
  expireProposals,
  type ModelProposal,
  propose,
  reject,
} from "./proposals.ts";
import { mayAct } from "./rights.ts";
import { breakGlass, endRules, NO_RULES, setRules, stopBreakGlass } from "./rules.ts";
import { expireStops, isStopped, liftStop, type ModelStop, setStop } from "./stops.ts";
import { type ModelUnknownCoin, noteUnknown, settleUnknown } from "./unknown-coins.ts";

/** The model's commands on the venue. */
export type VenueActs = Exclude<VenueCommand, { readonly type: "setOperatorTotp" | "publishProof" }> | ProposalCommand;

export class ModelVenue {
  readonly exchange: ModelExchange;
  stops: ModelStop[] = [];
  readonly operators: ModelOperator[] = [];
  rules: ApprovalRules = NO_RULES;
  /** When the announced end of the rules comes; null: none is announced. */
  rulesEndMs: number | null = null;
  /** Those that still wait. */
  proposals: ModelProposal[] = [];
  /** Every coin that was ever noted as nobody's. */
  unknownCoins: ModelUnknownCoin[] = [];
  /** The approval request whose action is being carried out; null: none is. */
  carriesOut: ModelProposal | null = null;

  constructor(exchange: ModelExchange) {
    this.exchange = exchange;
  }

  /** Why whoever the command names may not do it now; null: they may. */
  refusal(command: Command): RejectReason | null {
    return mayAct(this, command);
  }

  isStopped(scope: string, nowMs = this.exchange.nowMs): boolean {
    return isStopped(this, scope, nowMs);
  }
  stopsCoin(asset: string, network: string, nowMs = this.exchange.nowMs): boolean {
    return this.isStopped(`coin:${asset}`, nowMs) || this.isStopped(`network:${network}`, nowMs);
  }
  /** Whether the asset's coins may not leave by the network. */
  stopsWithdrawing(asset: string, network: string, nowMs = this.exchange.nowMs): boolean {
    return this.isStopped("withdrawals", nowMs) || this.stopsCoin(asset, network, nowMs);
  }

  answer(command: VenueActs): Happening[] | RejectReason {
    switch (command.type) {
      case "setStop":
        return setStop(this, command);
      case "liftStop":
        return liftStop(this, command);
      case "adjust":
        return adjust(this.exchange, command satisfies Adjust);
      case "noteAccount": {
        const { accountId, by, text } = command;
        if (!this.exchange.accounts.has(accountId)) return "UNKNOWN_ACCOUNT";
        return [said(`note on ${accountId} by ${by}: ${text}`)];
      }
      case "noteUnknownDeposit":
        return noteUnknown(this, command);
      case "settleUnknownDeposit":
        return settleUnknown(this, command);
      case "openOperator":
        return openOperator(this, command);
      case "changeOperator": {
        const changed = changeOperator(this, command);
        return typeof changed === "string" ? changed : [...changed, ...cancelOrphans(this, command)];
      }
      case "setApprovalRules":
        return setRules(this, command);
      case "breakGlass":
        return breakGlass(this, command);
      case "stopBreakGlass":
        return stopBreakGlass(this);
      case "propose":
        return propose(this, command);
      case "changeProposal":
        return changeProposal(this, command);
      case "approveProposal":
        return approve(this, command);
      case "rejectProposal":
        return reject(this, command);
      case "endOrder":
      case "endAccountOrders":
      case "endSymbolOrders":
      case "setDelisting":
        return endOrders(this.exchange, command);
    }
  }

  /** Ends what is over by time alone. */
  expire(): Happening[] {
    return [...expireStops(this), ...expireProposals(this), ...endRules(this)];
  }
}
