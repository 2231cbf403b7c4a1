/**
 * Operators in the model, suspensions, and the rights of operators: which actions each role may perform, and which
 * actions need a second approver.
 */
import { type Command, NODES_OWN_NAMES, type OperatorRole, type RejectReason } from "@pricetime/engine";
import { revokeOf } from "./access.ts";
import { closeOthers, endRecovery } from "./sign-in.ts";
import { type Answer, type Happening, plainResult } from "./happening.ts";
import { type ModelOperator, type ModelStop, type ModelVenue, stored } from "./state.ts";
import { isLarge } from "./withdrawals.ts";

const MOST_OPERATORS = 1000;

export function openOperator(
  { operators, exchange }: ModelVenue,
  { name, email, role }: Command<"openOperator">,
): Answer {
  if (operators.some((known) => known.name === name)) return "ALREADY_EXISTS";
  if (operators.length >= MOST_OPERATORS) return "TOO_MANY";
  operators.push({ name, email: stored(exchange, email), role, isEnabled: true, totpSecret: null });
  return [plainResult(`operator ${name} changed`)];
}

export function changeOperator({ operators, exchange }: ModelVenue, command: Command<"changeOperator">): Answer {
  const operator = operators.find(({ name }) => name === command.name);
  if (operator === undefined) return "UNKNOWN_OPERATOR";
  const email = command.email === undefined ? operator.email : stored(exchange, command.email);
  const isMoved = email !== operator.email;
  operator.email = email;
  operator.role = command.role ?? operator.role;
  operator.isEnabled = command.isEnabled ?? operator.isEnabled;
  const { access } = exchange;
  const holder = `operator:${operator.name}`;
  const ended = operator.isEnabled ? [] : closeOthers(access, holder, null);
  const links = isMoved ? [...revokeOf(access, holder), ...endRecovery(access, holder, "cancelled")] : [];
  return [plainResult(`operator ${operator.name} changed`), ...ended, ...links];
}

/** Returns the operator with this name, if enabled. */
export function enabled({ operators }: ModelVenue, by: string): ModelOperator | undefined {
  return operators.find(({ name, isEnabled }) => by === `operator:${name}` && isEnabled);
}

// Suspensions.

const WHOLE = ["trading", "placing", "withdrawals"];
const MOST_STOPS = 1000;

export function setStop(venue: ModelVenue, { scope, why, by, untilMs }: Command<"setStop">): Answer {
  const { nowMs, assets } = venue.exchange;
  const name = scope.slice(scope.indexOf(":") + 1);
  if (scope.startsWith("coin:") && !assets.some(({ asset }) => asset === name)) return "UNKNOWN_ASSET";
  const networks = assets.flatMap((asset) => asset.networks.map(({ network }) => network));
  if (scope.startsWith("network:") && !networks.includes(name)) return "UNKNOWN_NETWORK";
  if (untilMs !== null && untilMs <= nowMs) return "INVALID_VALUE";
  const stop = { scope, why, by, sinceMs: nowMs, untilMs };
  const at = venue.stops.findIndex((other) => other.scope === scope);
  if (at === -1 && venue.stops.length >= MOST_STOPS) return "TOO_MANY";
  if (at === -1) venue.stops.push(stop);
  else venue.stops[at] = stop;
  return [outcomeOf(stop, true)];
}

function isScope(scope: string): boolean {
  return WHOLE.includes(scope) || /^(coin|network):./.test(scope);
}

export function liftStop(venue: ModelVenue, { scope }: Command<"liftStop">): Answer {
  const stop = venue.stops.find((other) => other.scope === scope);
  if (stop === undefined) return "UNKNOWN_STOP";
  venue.stops = venue.stops.filter((other) => other !== stop);
  return [outcomeOf(stop, false)];
}

export function expireStops(venue: ModelVenue): Happening[] {
  const { nowMs } = venue.exchange;
  const over = venue.stops.filter(({ untilMs }) => untilMs !== null && untilMs <= nowMs);
  venue.stops = venue.stops.filter((stop) => !over.includes(stop));
  return over.map((stop) => outcomeOf(stop, false));
}

function outcomeOf({ scope, why, by, sinceMs, untilMs }: ModelStop, isOn: boolean): Happening {
  return plainResult(`stop of ${scope} by ${by} from ${sinceMs} to ${untilMs}, ${why}: ${isOn ? "on" : "off"}`);
}

// Rights for the operator actions that occur in random histories.

type Act = { readonly type: string };

/** Groups of roles that may perform the same actions. */
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
/** Actions that may not be requested for approval. */
const NOT_PROPOSED = [
  ...["noteUnknownDeposit", "propose", "changeProposal", "approveProposal", "rejectProposal"],
  ...["closeSession", "closeSessions", "cancelRecovery"],
];
/** Actions to which no approval rule applies. */
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

/** Whether the action has an invalid scope. Such a command is malformed, whoever sends it. */
function hasNoScope(act: Act): boolean {
  const { scope } = act as { readonly scope?: string };
  return (act.type === "setStop" || act.type === "liftStop") && !isScope(scope ?? "");
}

function mayDo(role: OperatorRole, act: Act): boolean {
  if (act.type !== "liftStop") return (isGrave(act) ? VENUE : (ROLES[act.type] ?? [])).includes(role);
  const { scope } = act as { readonly scope?: string };
  return (scope === "trading" || scope === "placing" ? VENUE : MONEY).includes(role);
}

/**
 * Actions that give an operator a two-factor secret, an email address or access. With these, the author could act as
 * another operator.
 */
function isGrave(act: Act): boolean {
  const { sealedSecret, holder } = act as { readonly sealedSecret?: string | null; readonly holder?: string | null };
  if (act.type === "setTotp") return sealedSecret !== null;
  if (act.type === "changeAccount") return "email" in act;
  return act.type === "invite" && holder?.startsWith("operator:") === true;
}

/** Whether the role may perform the action without approval in the current state. */
export function mayDoNow(venue: ModelVenue, role: OperatorRole, act: Act): boolean {
  return mayDo(role, shortens(venue, act) ? { ...act, type: "liftStop" } : act);
}

/** Whether the action replaces a suspension by one that ends earlier. */
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

/** The fields of a change that customers may make themselves. */
const CHOICES: readonly string[] = ["type", "by", "accountId", "language", "paysInDiscountAsset"];

/** Actions that every operator may perform on their own sign-in, and every customer on their own account. */
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
      // An operator needs the right to serve customers, even to cancel their own recovery link.
      if (!by.startsWith("account:")) return false;
      return recoveries.some(({ recoveryId, holder }) => recoveryId === command.recoveryId && holder === by);
    case "setTotp":
    case "setAddressList":
    case "allowAddress":
    case "disallowAddress":
    case "freezeAccount":
      return by === `account:${command.accountId}`;
    case "changeAccount": {
      const others = Object.entries(command).filter(([name, value]) => value !== undefined && !CHOICES.includes(name));
      const changesOne = command.language !== undefined || command.paysInDiscountAsset !== undefined;
      return by === `account:${command.accountId}` && changesOne && others.length === 0;
    }
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
