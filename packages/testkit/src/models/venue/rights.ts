/** Who may do what in the model, and what needs two: of the acts that random histories have. */
import { type Command, NODES_OWN_NAMES, type OperatorRole, type RejectReason } from "@pricetime/engine";
import type { ModelVenue } from "../state.ts";
import { isLarge } from "../wallet/limits-over-time.ts";
import { enabled } from "./operators.ts";
import { isScope } from "./stops.ts";

type Act = { readonly type: string };

/** The roles that may do an act. */
const MONEY: readonly OperatorRole[] = ["treasurer", "admin"];
const CUSTOMERS: readonly OperatorRole[] = ["support", "admin"];
const ANY: readonly OperatorRole[] = ["support", "treasurer", "admin"];
const VENUE: readonly OperatorRole[] = ["admin"];
const ROLES: Readonly<Record<string, readonly OperatorRole[]>> = {
  ...{ deposit: MONEY, debit: MONEY, adjust: MONEY, approveWithdrawal: MONEY },
  ...{ setWithdrawalLimits: MONEY, setAccountWithdrawalLimits: MONEY },
  ...{ noteUnknownDeposit: MONEY, settleUnknownDeposit: MONEY },
  noteAccount: CUSTOMERS,
  ...{ invite: CUSTOMERS, revokeInvitation: CUSTOMERS, closeSession: CUSTOMERS, closeSessions: CUSTOMERS },
  ...{ cancelRecovery: CUSTOMERS, freezeAccount: CUSTOMERS, setTotp: CUSTOMERS },
  ...{ endOrder: CUSTOMERS, endAccountOrders: CUSTOMERS, endSymbolOrders: VENUE, setDelisting: VENUE },
  ...{ setAddressList: CUSTOMERS, allowAddress: CUSTOMERS, disallowAddress: CUSTOMERS },
  ...{ publishProof: MONEY, setOperatorTotp: VENUE },
  ...{ setStop: ANY, stopBreakGlass: ANY },
  ...{ propose: ANY, changeProposal: ANY, approveProposal: ANY, rejectProposal: ANY },
  ...{ openOperator: VENUE, changeOperator: VENUE, setApprovalRules: VENUE, breakGlass: VENUE },
};
/** What nobody proposes. */
const NOT_PROPOSED = [
  ...["noteUnknownDeposit", "propose", "changeProposal", "approveProposal", "rejectProposal"],
  ...["closeSession", "closeSessions", "cancelRecovery"],
];
/** What waits for no second person by any rule. */
const NOT_RULED = ["setStop", "breakGlass", "stopBreakGlass", "freezeAccount", "revokeInvitation"];

export function mayBeProposed(act: Act): boolean {
  return isProposable(act.type) && !hasNoScope(act);
}
export function mayBeRuled(type: string): boolean {
  return isProposable(type) && !NOT_RULED.includes(type);
}

function isProposable(type: string): boolean {
  return (type in ROLES || type === "liftStop") && !NOT_PROPOSED.includes(type);
}

/** What names a scope that is none is malformed, whoever sends it. */
function hasNoScope(act: Act): boolean {
  const { scope } = act as { readonly scope?: string };
  return (act.type === "setStop" || act.type === "liftStop") && !isScope(scope ?? "");
}

function mayDo(role: OperatorRole, act: Act): boolean {
  if (act.type !== "liftStop") return (isGrave(act) ? VENUE : (ROLES[act.type] ?? [])).includes(role);
  const { scope } = act as { readonly scope?: string };
  return (scope === "trading" || scope === "placing" ? VENUE : MONEY).includes(role);
}

/** Whoever gives a secret of codes, an address, or a way in to an operator, could act as another. */
function isGrave(act: Act): boolean {
  const { sealedSecret, holder } = act as { readonly sealedSecret?: string | null; readonly holder?: string | null };
  if (act.type === "setTotp") return sealedSecret !== null;
  if (act.type === "changeAccount") return "email" in act;
  return act.type === "invite" && holder?.startsWith("operator:") === true;
}

/** Whether somebody in the role may do it as things are. */
export function mayDoNow(venue: ModelVenue, role: OperatorRole, act: Act): boolean {
  return mayDo(role, shortens(venue, act) ? { ...act, type: "liftStop" } : act);
}

/** A stop that is set again and ends sooner than the one that holds. */
function shortens(venue: ModelVenue, act: Act): boolean {
  if (act.type !== "setStop") return false;
  const { scope, untilMs } = act as { readonly scope?: string; readonly untilMs?: number | null };
  const known = venue.stops.find((stop) => stop.scope === scope);
  if (known === undefined || untilMs === null || untilMs === undefined) return false;
  if (known.untilMs === null) return true;
  return venue.exchange.nowMs < known.untilMs && untilMs < known.untilMs;
}

export function mayAct(venue: ModelVenue, command: Command): RejectReason | null {
  if (hasNoScope(command)) return "INVALID_VALUE";
  const { by } = command as { readonly by?: string };
  if (by === undefined || venue.carriesOut !== null) return null;
  const isCustomer = by.startsWith("account:");
  if (venue.operators.length > 0 || venue.exchange.access.passwords.length > 0) {
    const operator = enabled(venue, by);
    const isOwn = isOwnAct(venue, by, command);
    if (isCustomer && !isOwn) return "NOT_PERMITTED";
    const may = operator !== undefined && (isOwn || mayDoNow(venue, operator.role, command));
    if (by.startsWith("operator:") && !may) return "NOT_PERMITTED";
  }
  const needsTwo = isCustomer || NODES_OWN_NAMES.includes(by) ? alwaysTwo(command) : twoByRules(venue, command);
  return needsTwo ? "NEEDS_TWO" : null;
}

/** What everybody may do about an own way in, and a customer about an own account. */
function isOwnAct({ exchange }: ModelVenue, by: string, command: Command): boolean {
  const { sessions, recoveries } = exchange.access;
  switch (command.type) {
    case "setPassword":
    case "closeSessions":
      return command.holder === by;
    case "closeSession":
      return sessions.some(({ sessionId, holder }) => sessionId === command.sessionId && holder === by);
    case "setOperatorTotp":
      return by === `operator:${command.name}`;
    case "cancelRecovery":
      // An operator needs the right to serve customers, for an own link too.
      if (!by.startsWith("account:")) return false;
      return recoveries.some(({ recoveryId, holder }) => recoveryId === command.recoveryId && holder === by);
    case "setTotp":
    case "setAddressList":
    case "allowAddress":
    case "disallowAddress":
    case "freezeAccount":
      return by === `account:${command.accountId}`;
    default:
      return false;
  }
}

function alwaysTwo(command: Command): boolean {
  return command.type === "adjust" || (command.type === "settleUnknownDeposit" && command.how !== "dismiss");
}

function twoByRules(venue: ModelVenue, command: Command): boolean {
  const { acts, withdrawalsAbove } = venue.rules;
  const isAny = acts.length + withdrawalsAbove.length > 0;
  if (alwaysTwo(command)) return true;
  switch (command.type) {
    case "openOperator":
    case "setApprovalRules":
      return isAny;
    case "setOperatorTotp":
      return isAny && command.by !== `operator:${command.name}`;
    case "invite":
      return (isAny && isGrave(command)) || acts.includes(command.type);
    case "changeOperator":
      return isAny && !(command.role === undefined && command.email === undefined && command.isEnabled !== true);
    case "approveWithdrawal":
      return acts.includes(command.type) || isOpenAndLarge(venue, command.withdrawalId);
    case "setStop":
      return acts.includes("liftStop") && shortens(venue, command);
    default:
      return acts.includes(command.type);
  }
}

function isOpenAndLarge({ exchange }: ModelVenue, withdrawalId: string): boolean {
  const withdrawal = exchange.wallet.openWithdrawals().find((one) => one.withdrawalId === withdrawalId);
  return withdrawal !== undefined && isLarge(exchange.wallet, withdrawal);
}
