/** Executes commands. A command either changes the state and emits events, or is rejected and changes nothing. */
import { expireStops, freezeAccount, liftStop, setStop } from "./venue/suspensions.ts";
import {
  acceptInvitation,
  expireInvitations,
  invite,
  revokeInvitation,
  tellAlreadyKnown,
} from "./access/invitations.ts";
import { changeNotice } from "./access/holders.ts";
import {
  allowAddress,
  changeAccount,
  changeOperator,
  disallowAddress,
  lockApiTrading,
  openAccount,
  openOperator,
  setAccountStatus,
  setAddressList,
  setMaintenance,
  setOperatorTotp,
  setOrderLimits,
  setSymbolFee,
  setTotp,
  unlockApiTrading,
} from "./access/accounts.ts";
import {
  askRecovery,
  cancelRecovery,
  checkCommandCode,
  closeSession,
  closeSessions,
  openSession,
  recover,
  renewSession,
  setPassword,
  markCodeUsed,
} from "./access/sign-in.ts";
import {
  bindMasterKey,
  closeListenKey,
  createApiKey,
  deleteApiKey,
  expireListenKeys,
  keepListenKey,
  openListenKey,
} from "./access/api-keys.ts";
import { type AsHolder, type Command, isExchangeCommand, isWellFormed, type ShapedCommand } from "./entry/command.ts";
import { ordersOf } from "./entry/order-record.ts";
import type { RejectReason } from "./entry/reject.ts";
import { assignDepositAddress, creditDeposit, dropDeposit, finishDeposit, seeDeposit } from "./funds/deposits.ts";
import { convertDust, setDustRules } from "./funds/dust.ts";
import { advanceNetwork, payNetworkCost, setAssetNetworks } from "./funds/networks.ts";
import { setAccountWithdrawalLimits, setWithdrawalLimits } from "./funds/withdrawal-checks.ts";
import { distributeDividend, moveMoney, transfer } from "./funds/transfers.ts";
import {
  approveWithdrawal,
  cancelWithdrawal,
  changeLetter,
  completeWithdrawal,
  confirmWithdrawal,
  expireWithdrawals,
  failSignedWithdrawal,
  failWithdrawal,
  rejectWithdrawal,
  requestWithdrawal,
  signWithdrawal,
} from "./funds/withdrawals.ts";
import {
  adoptRules,
  delistDueSymbols,
  listAsset,
  listSymbol,
  setDelisting,
  setExchangeFilters,
  setInterface,
  setOrderIds,
  setPriceRange,
  setSelfTradePrevention,
  setSymbolFilters,
  setSymbolStatus,
} from "./listing.ts";
import { addPast, importKlines } from "./add-past-candles.ts";
import { beginBatch, grantRole, setSharedSettings } from "./nodes.ts";
import type { ExchangeState } from "./state/exchange-state.ts";
import {
  cancelOpenOrders,
  cancelOrder,
  cancelOrderList,
  continueEndings,
  endAccountOrders,
  endOrder,
  endSymbolOrders,
} from "./trading/end-orders.ts";
import { setCommissionDiscount } from "./trading/commission.ts";
import { amendOrder, cancelReplace, countPlaced, placeOco, placeOrder } from "./trading/place.ts";
import { executeTriggered, placeOto } from "./trading/pending-orders.ts";
import { adjust, noteAccount, noteUnknownDeposit, settleUnknownDeposit } from "./venue/adjustments.ts";
import {
  approval,
  approved,
  breakGlass,
  changeProposal,
  applyBreakGlass,
  expireProposals,
  propose,
  rejectProposal,
  setApprovalRules,
  stopBreakGlass,
} from "./venue/approvals.ts";
import { publishProof } from "./venue/proofs.ts";
import { mayAct } from "./venue/rights.ts";

type Act<C> = (state: ExchangeState, command: C) => RejectReason | null;
/** Handlers of the commands whose fields are not checked by the codec. */
type Handlers = { readonly [Type in ShapedCommand["type"]]: Act<Extract<ShapedCommand, { readonly type: Type }>> };

const ACTS: Handlers = {
  openAccount,
  changeAccount,
  setSymbolFee,
  createApiKey,
  deleteApiKey,
  bindMasterKey,
  setOrderLimits,
  setSharedSettings,
  setInterface,
  setOrderIds,
  setCommissionDiscount,

  listAsset,
  listSymbol,
  setSymbolStatus,
  setSymbolFilters,
  setSelfTradePrevention,
  setPriceRange,
  setExchangeFilters,
  addPast,
  importKlines,

  deposit: moveMoney,
  debit: moveMoney,
  transfer,
  distributeDividend,
  setDustRules,
  convertDust,
  assignDepositAddress,
  seeDeposit,
  creditDeposit,
  finishDeposit,
  dropDeposit,
  requestWithdrawal,
  changeLetter,
  confirmWithdrawal,
  cancelWithdrawal,
  approveWithdrawal,
  rejectWithdrawal,
  signWithdrawal,
  completeWithdrawal,
  failWithdrawal,
  failSignedWithdrawal,
  setAssetNetworks,
  setWithdrawalLimits,
  setAccountWithdrawalLimits,
  advanceNetwork,
  payNetworkCost,
  setAddressList,
  allowAddress,
  disallowAddress,
  setTotp,
  setAccountStatus,
  lockApiTrading,
  unlockApiTrading,
  setMaintenance,

  invite,
  revokeInvitation,
  acceptInvitation,
  setPassword,
  openSession,
  renewSession,
  closeSession,
  closeSessions,
  askRecovery,
  cancelRecovery,
  recover,
  freezeAccount,
  tellAlreadyKnown,
  changeNotice,

  setStop,
  liftStop,
  adjust,
  noteAccount,
  noteUnknownDeposit,
  settleUnknownDeposit,
  openOperator,
  changeOperator,
  setOperatorTotp,
  setApprovalRules,
  propose,
  changeProposal,
  approveProposal,
  rejectProposal,
  breakGlass,
  stopBreakGlass,
  publishProof,
  endOrder,
  endAccountOrders,
  endSymbolOrders,
  setDelisting,

  nodeBatch: beginBatch,
  grantRole,
};

/** Returns null if the command was executed. */
export function carryOut(state: ExchangeState, command: Command): RejectReason | null {
  switch (command.type) {
    case "placeOrder":
      countPlaced(state, command.accountId, 1);
      return withFollowing(state, placeOrder(state, command));
    case "cancelOrder":
      return cancelOrder(state, command);
    case "cancelReplace":
      countPlaced(state, command.place.accountId, 1);
      return withFollowing(state, cancelReplace(state, command));
    case "amendOrder":
      return amendOrder(state, command);
    case "placeOco":
      countPlaced(state, command.accountId, ordersOf("OCO"));
      return placeOco(state, command);
    case "placeOto":
      countPlaced(state, command.accountId, ordersOf(command.kind));
      return withFollowing(state, placeOto(state, command));
    case "cancelOrderList":
      return cancelOrderList(state, command);
    case "cancelOpenOrders":
      return cancelOpenOrders(state, command);
    case "tick":
      return tick(state);
    case "adoptRules":
      return adoptRules(state, command);
    case "openListenKey":
      return openListenKey(state, command);
    case "keepListenKey":
      return keepListenKey(state, command);
    case "closeListenKey":
      return closeListenKey(state, command);
    case "asHolder":
      return actAsHolder(state, command);
    default: {
      if (!isWellFormed(command)) return "INVALID_VALUE";
      const refusal = mayAct(state, command) ?? checkCommandCode(state, command);
      if (refusal !== null) return refusal;
      const act = ACTS[command.type] as Act<ShapedCommand>;
      const reason = act(state, command);
      if (reason === null) markCodeUsed(state, command);
      return reason;
    }
  }
}

/** Executes the orders that the trades of a command have triggered. */
function withFollowing(state: ExchangeState, reason: RejectReason | null): RejectReason | null {
  if (state.triggered.length > 0) executeTriggered(state);
  return reason;
}

/**
 * Executes the inner command if `number` is that of the task's current owner. Commands of a replaced owner have no
 * effect.
 */
function actAsHolder(state: ExchangeState, { role, number, command }: AsHolder): RejectReason | null {
  if (!isExchangeCommand(command)) return "INVALID_VALUE";
  return state.nodes.role(role)?.number === number ? carryOut(state, command) : "ROLE_TAKEN";
}

/**
 * The last required approval executes the requested action in the same entry, so that either both take effect or
 * neither.
 */
function approveProposal(state: ExchangeState, command: Command<"approveProposal">): RejectReason | null {
  const approvedAct = approval(state, command);
  if (approvedAct === null || typeof approvedAct === "string") return approvedAct;
  state.approvedId = command.proposalId;
  const reason = carryOut(state, approvedAct.act);
  state.approvedId = null;
  if (reason === null) approved(state, command, approvedAct.proposal);
  return reason;
}

/** Executes everything that is due at the current time. */
function tick(state: ExchangeState): null {
  expireListenKeys(state);
  expireWithdrawals(state);
  expireInvitations(state);
  expireStops(state);
  expireProposals(state);
  applyBreakGlass(state);
  delistDueSymbols(state);
  continueEndings(state);
  state.emit({ type: "done" });
  return null;
}
