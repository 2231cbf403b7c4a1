/**
 * Permissions of operators (by role) and of customers (on their own accounts), and which actions need dual approval.
 */
import { accountIdOf, operatorNameOf } from "../access/holders.ts";
import { type AccessCommand, NODES_OWN_NAMES, type OperatorRole } from "../entry/access.ts";
import type { Command, OperatorCommand, ProposalCommand, WalletCommand } from "../entry/command.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { VenueCommand } from "../entry/venue.ts";
import { isForTwo } from "../funds/withdrawal-checks.ts";
import type { ExchangeState } from "../state/exchange-state.ts";

/** The right `any` belongs to every operator who has more than read access. */
export const RIGHTS = ["any", "customers", "money", "venue"] as const;
export type Right = (typeof RIGHTS)[number];

const RIGHTS_OF: Readonly<Record<OperatorRole, readonly Right[]>> = {
  viewer: [],
  support: ["any", "customers"],
  treasurer: ["any", "money"],
  admin: RIGHTS,
};

export function hasRight(role: OperatorRole, right: Right): boolean {
  return RIGHTS_OF[role].includes(right);
}

type ActType = Extract<
  OperatorCommand | WalletCommand | VenueCommand | ProposalCommand | AccessCommand,
  { readonly by?: string }
>["type"];

/** The right that a named operator needs for each action. Null if only the account's owner may do it. */
const NEEDS: Readonly<Record<ActType, Right | null>> = {
  listAsset: "venue",
  listSymbol: "venue",
  setSymbolStatus: "venue",
  setSymbolFilters: "venue",
  setSelfTradePrevention: "venue",
  setPriceRange: "venue",
  setExchangeFilters: "venue",
  addPast: "venue",
  importKlines: "venue",
  bindMasterKey: "venue",
  setOrderLimits: "venue",
  setSharedSettings: "venue",
  setInterface: "venue",
  setOrderIds: "venue",
  setCommissionDiscount: "venue",
  setMaintenance: "venue",
  setSymbolFee: "venue",
  openOperator: "venue",
  changeOperator: "venue",
  setOperatorTotp: "venue",
  setApprovalRules: "venue",
  breakGlass: "venue",
  endSymbolOrders: "venue",
  setDelisting: "venue",

  openAccount: "customers",
  changeAccount: "customers",
  // The creator of a key sees its secret, and could act as the customer.
  createApiKey: "venue",
  deleteApiKey: "customers",
  setAddressList: "customers",
  allowAddress: "customers",
  disallowAddress: "customers",
  setTotp: "customers",
  setAccountStatus: "customers",
  unlockApiTrading: "customers",
  noteAccount: "customers",
  cancelWithdrawal: "customers",
  invite: "customers",
  revokeInvitation: "customers",
  closeSession: "customers",
  closeSessions: "customers",
  cancelRecovery: "customers",
  freezeAccount: "customers",
  endOrder: "customers",
  endAccountOrders: "customers",

  deposit: "money",
  debit: "money",
  approveWithdrawal: "money",
  rejectWithdrawal: "money",
  seeDeposit: "money",
  creditDeposit: "money",
  finishDeposit: "money",
  dropDeposit: "money",
  signWithdrawal: "money",
  completeWithdrawal: "money",
  failWithdrawal: "money",
  failSignedWithdrawal: "money",
  changeLetter: "any",
  advanceNetwork: "money",
  setAssetNetworks: "money",
  setWithdrawalLimits: "money",
  setAccountWithdrawalLimits: "money",
  setDustRules: "money",
  distributeDividend: "money",
  adjust: "money",
  noteUnknownDeposit: "money",
  settleUnknownDeposit: "money",
  publishProof: "money",

  // Every operator may suspend trading in an emergency. Resuming it requires more rights.
  setStop: "any",
  liftStop: "money",
  stopBreakGlass: "any",
  propose: "any",
  changeProposal: "any",
  approveProposal: "any",
  rejectProposal: "any",

  setPassword: null,
};

/** The right that the action requires; undefined if operators cannot execute the action. */
export function rightFor(command: Pick<Command, "type">): Right | undefined {
  const right = (NEEDS as Readonly<Record<string, Right | null>>)[command.type] ?? undefined;
  if (command.type === "changeAccount") return changesMuch(command as Command<"changeAccount">) ? "venue" : right;
  if (command.type === "setTotp") return givesSecret(command as Command<"setTotp">) ? "venue" : right;
  if (command.type === "liftStop") return isOfTrading(command as { readonly scope?: string }) ? "venue" : right;
  if (command.type === "invite") return isOfOperator(command as { readonly holder?: string | null }) ? "venue" : right;
  return right;
}

/** Whether the command changes rates or the email address. A new address determines who can set the password. */
const changesMuch = ({ makerBps, takerBps, email }: Command<"changeAccount">): boolean =>
  makerBps !== undefined || takerBps !== undefined || email !== undefined;
const givesSecret = ({ sealedSecret }: Command<"setTotp">): boolean => sealedSecret !== null;
const isOfTrading = ({ scope }: { readonly scope?: string }): boolean => scope === "trading" || scope === "placing";
const isOfOperator = ({ holder }: { readonly holder?: string | null }): boolean =>
  operatorNameOf(holder ?? "") !== undefined;

/**
 * Actions for which no approval can be requested: actions on approval requests, actions of a node, and actions on a
 * person's own sign-in.
 */
const NEVER_PROPOSED: ReadonlySet<string> = new Set<ActType>([
  ...(["propose", "changeProposal", "approveProposal", "rejectProposal"] as const),
  ...(["setPassword", "closeSession", "closeSessions", "cancelRecovery"] as const),
  ...(["bindMasterKey", "setOrderLimits", "setSharedSettings", "setInterface", "setOrderIds"] as const),
  ...(["advanceNetwork", "changeLetter", "signWithdrawal", "noteUnknownDeposit"] as const),
]);
/**
 * Actions for which rules cannot require approval: actions that prevent harm must not wait for a second approver, and
 * the emergency override must always be possible.
 */
const NEVER_RULED: ReadonlySet<string> = new Set<ActType>([
  ...(["setStop", "freezeAccount", "revokeInvitation", "breakGlass", "stopBreakGlass"] as const),
]);

/** The actions that an operator may request. */
export const PROPOSABLE_ACTS: readonly string[] = Object.keys(NEEDS).filter((type) => !NEVER_PROPOSED.has(type));
/** The actions for which rules may require dual approval. */
export const RULABLE_ACTS: readonly string[] = PROPOSABLE_ACTS.filter((type) => !NEVER_RULED.has(type));

type Judged = Command & { readonly by?: string };

/**
 * Whether the author of the command may execute it now. A name of no operator and no customer represents the admin
 * token or the node itself.
 */
export function mayAct(state: ExchangeState, command: Command): RejectReason | null {
  const { by } = command as Judged;
  if (by === undefined || state.approvedId !== null) return null;
  const meant = asLift(state, command);
  if (!mayAlone(state, by, meant)) return "NOT_PERMITTED";
  // Approval rules apply to operators, but not to what customers do with their own accounts, or to what a node does by
  // itself.
  const isNoOperators = accountIdOf(by) !== undefined || NODES_OWN_NAMES.includes(by);
  return (!isNoOperators || isForTwoAlways(meant)) && needsTwo(state, meant) ? "NEEDS_TWO" : null;
}

/** Whether the role has the right that the action requires in the current state. */
export function hasRightFor(state: ExchangeState, role: OperatorRole, act: Command): boolean {
  const right = rightFor(asLift(state, act));
  return right !== undefined && hasRight(role, right);
}

/** Shortening a suspension counts as lifting it, which fewer operators may do than setting one. */
function asLift(state: ExchangeState, command: Command): Command {
  if (command.type !== "setStop") return command;
  const { scope, by, untilMs } = command;
  return state.stops.lastsBeyond(scope, untilMs, state.nowMs) ? { type: "liftStop", scope, by } : command;
}

function mayAlone(state: ExchangeState, by: string, command: Command): boolean {
  if (!state.hasSignIn) return true;
  const accountId = accountIdOf(by);
  if (accountId !== undefined) return isOwnAct(state, accountId, command);
  const name = operatorNameOf(by);
  return name === undefined || mayOperate(state, name, command);
}

function mayOperate(state: ExchangeState, name: string, command: Command): boolean {
  const operator = state.operators.get(name);
  if (operator === undefined || !operator.isEnabled) return false;
  return isOwnOperatorAct(state, name, command) || hasRightFor(state, operator.role, command);
}

/** The actions that each operator may do about their own sign-in. */
function isOwnOperatorAct(state: ExchangeState, name: string, command: Command): boolean {
  const holder = `operator:${name}`;
  switch (command.type) {
    case "setPassword":
    case "closeSessions":
      return command.holder === holder;
    case "closeSession":
      return state.sessions.get(command.sessionId)?.holder === holder;
    case "setOperatorTotp":
      return command.name === name;
    default:
      return false;
  }
}

/** The actions that a customer may do alone, on their own account or a sub-account. */
function isOwnAct(state: ExchangeState, accountId: number, command: Command): boolean {
  const isOwn = (other: number | undefined): boolean =>
    other !== undefined && (other === accountId || state.accounts.get(other)?.masterId === accountId);
  switch (command.type) {
    case "createApiKey":
      return isOwn(command.accountId) && isSafeKey(state, command);
    case "deleteApiKey":
      return isOwn(state.apiKeys.get(command.apiKey)?.accountId);
    case "setTotp":
    case "setAddressList":
    case "allowAddress":
    case "disallowAddress":
    case "freezeAccount":
      return command.accountId === accountId;
    case "changeAccount":
      return isOwn(command.accountId) && changesChoicesOnly(command, command.accountId === accountId);
    case "cancelWithdrawal":
      return isOwn(command.accountId);
    case "setPassword":
    case "closeSessions":
      return command.holder === `account:${accountId}`;
    case "closeSession":
      return state.sessions.get(command.sessionId)?.holder === `account:${accountId}`;
    case "cancelRecovery":
      return state.recoveries.get(command.recoveryId)?.holder === `account:${accountId}`;
    default:
      return false;
  }
}

/** Whether the command changes nothing but the customer's own choices. Sub-accounts receive no emails. */
function changesChoicesOnly(command: Command<"changeAccount">, isOwnLanguage: boolean): boolean {
  const { type: _type, by: _by, accountId: _id, language, paysInDiscountAsset, ...others } = command;
  const changesAny = language !== undefined || paysInDiscountAsset !== undefined;
  if (language !== undefined && !isOwnLanguage) return false;
  return changesAny && Object.values(others).every((value) => value === undefined);
}

/**
 * A key with the withdrawal permission must be restricted to IP addresses, so that a stolen key is useless elsewhere.
 * The key must not belong to a sub-account, because it would evade the master's code and allowlist. The account must
 * have two-factor authentication: withdrawals by a session wait for an emailed link, which the thief of a session could
 * otherwise evade by creating a key.
 */
function isSafeKey(state: ExchangeState, { accountId, permissions, ipAllowList }: Command<"createApiKey">): boolean {
  const account = state.accounts.get(accountId);
  const hasCodes = account !== undefined && account.masterId === null && account.sealedTotp !== null;
  return !permissions.includes("WITHDRAW") || (hasCodes && ipAllowList.length > 0);
}

/** Actions that would remove the rules, or give one person the access of a second approver. */
const GUARDED: ReadonlySet<string> = new Set(["setApprovalRules", "openOperator", "setOperatorTotp"]);

/** Whether the action always needs dual approval, regardless of the rules and even in a venue without operators. */
function isForTwoAlways(command: Command): boolean {
  return command.type === "adjust" || (command.type === "settleUnknownDeposit" && command.how !== "dismiss");
}

/** Whether the action is executed only by an approved request. */
export function needsTwo(state: ExchangeState, command: Command): boolean {
  const { rules, isAny } = state.proposals;
  if (isForTwoAlways(command)) return true;
  switch (command.type) {
    case "approveWithdrawal":
      return rules.acts.includes(command.type) || isAboveLimit(state, command.withdrawalId);
    case "changeOperator":
      return isAny && (command.role !== undefined || command.email !== undefined || command.isEnabled === true);
    case "invite":
      return (isAny && isOfOperator(command)) || rules.acts.includes(command.type);
    case "setOperatorTotp":
      return isAny && (command as Judged).by !== `operator:${command.name}`;
    default:
      return (isAny && GUARDED.has(command.type)) || rules.acts.includes(command.type);
  }
}

function isAboveLimit(state: ExchangeState, withdrawalId: string): boolean {
  const withdrawal = state.funds.withdrawals.get(withdrawalId);
  return withdrawal !== undefined && isForTwo(state, withdrawal);
}
