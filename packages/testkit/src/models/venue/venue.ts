/** What the model's operators have done: stops, operators, rules, proposals, coins of nobody, in plain lists. */
import type { Adjust, ProposalCommand, RejectReason, VenueCommand } from "@pricetime/engine";
import { type Happening, said } from "../happening.ts";
import { endOrders } from "../operator-ends.ts";
import type { ModelVenue } from "../state.ts";
import { adjust } from "./adjust.ts";
import { changeOperator, openOperator } from "./operators.ts";
import {
  approve,
  cancelOrphans,
  changeProposal,
  expireProposals,
  propose,
  reject,
  type CarryOut,
} from "./proposals.ts";
import { breakGlass, endRules, setRules, stopBreakGlass } from "./rules.ts";
import { expireStops, liftStop, setStop } from "./stops.ts";
import { noteUnknown, settleUnknown } from "./unknown-coins.ts";

/** The model's commands on the venue. */
export type VenueActs = Exclude<VenueCommand, { readonly type: "setOperatorTotp" | "publishProof" }> | ProposalCommand;

export function venueAnswer(venue: ModelVenue, command: VenueActs, carryOut: CarryOut): Happening[] | RejectReason {
  switch (command.type) {
    case "setStop":
      return setStop(venue, command);
    case "liftStop":
      return liftStop(venue, command);
    case "adjust":
      return adjust(venue.exchange, command satisfies Adjust);
    case "noteAccount": {
      const { accountId, by, text } = command;
      if (!venue.exchange.accounts.has(accountId)) return "UNKNOWN_ACCOUNT";
      return [said(`note on ${accountId} by ${by}: ${text}`)];
    }
    case "noteUnknownDeposit":
      return noteUnknown(venue, command);
    case "settleUnknownDeposit":
      return settleUnknown(venue, command);
    case "openOperator":
      return openOperator(venue, command);
    case "changeOperator": {
      const changed = changeOperator(venue, command);
      return typeof changed === "string" ? changed : [...changed, ...cancelOrphans(venue, command)];
    }
    case "setApprovalRules":
      return setRules(venue, command);
    case "breakGlass":
      return breakGlass(venue, command);
    case "stopBreakGlass":
      return stopBreakGlass(venue);
    case "propose":
      return propose(venue, command);
    case "changeProposal":
      return changeProposal(venue, command);
    case "approveProposal":
      return approve(venue, command, carryOut);
    case "rejectProposal":
      return reject(venue, command);
    case "endOrder":
    case "endAccountOrders":
    case "endSymbolOrders":
    case "setDelisting":
      return endOrders(venue.exchange, command);
  }
}

/** Ends what is over by time alone. */
export function expireInVenue(venue: ModelVenue): Happening[] {
  return [...expireStops(venue), ...expireProposals(venue), ...endRules(venue)];
}
