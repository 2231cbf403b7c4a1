/** Carries out the wallet's commands; each where it belongs. */
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { setAccountStatus, setMaintenance, setTotp } from "./permissions/account-acts.ts";
import { allowAddress, disallowAddress, setAddressList } from "./permissions/address-list-acts.ts";
import { lockApiTrading, unlockApiTrading } from "./permissions/api-lock-acts.ts";
import type { WalletAct, WalletCommand } from "../entry/wallet-command.ts";
import { assignDepositAddress } from "./deposits/assign-address.ts";
import { creditDeposit, dropDeposit, finishDeposit, seeDeposit } from "./deposits/steps.ts";
import { distributeDividend } from "./transfers/dividends.ts";
import { convertDust, setDustRules } from "./dust/dust.ts";
import { advanceNetwork, payNetworkCost, setAssetNetworks } from "./networks.ts";
import { transfer } from "./transfers/transfers.ts";
import {
  approveWithdrawal,
  cancelWithdrawal,
  completeWithdrawal,
  confirmWithdrawal,
  failSignedWithdrawal,
  failWithdrawal,
  rejectWithdrawal,
  requestWithdrawal,
  signWithdrawal,
} from "./withdrawals/steps.ts";

export function carryOutWallet(state: ExchangeState, command: WalletCommand | WalletAct): RejectReason | null {
  switch (command.type) {
    case "assignDepositAddress":
      return assignDepositAddress(state, command);
    case "seeDeposit":
      return seeDeposit(state, command);
    case "creditDeposit":
      return creditDeposit(state, command);
    case "finishDeposit":
      return finishDeposit(state, command);
    case "dropDeposit":
      return dropDeposit(state, command);
    case "requestWithdrawal":
      return requestWithdrawal(state, command);
    case "confirmWithdrawal":
      return confirmWithdrawal(state, command);
    case "cancelWithdrawal":
      return cancelWithdrawal(state, command);
    case "approveWithdrawal":
      return approveWithdrawal(state, command);
    case "rejectWithdrawal":
      return rejectWithdrawal(state, command);
    case "signWithdrawal":
      return signWithdrawal(state, command);
    case "completeWithdrawal":
      return completeWithdrawal(state, command);
    case "failWithdrawal":
      return failWithdrawal(state, command);
    case "failSignedWithdrawal":
      return failSignedWithdrawal(state, command);
    case "payNetworkCost":
      return payNetworkCost(state, command);
    case "advanceNetwork":
      return advanceNetwork(state, command);
    case "transfer":
      return transfer(state, command);
    case "convertDust":
      return convertDust(state, command);
    case "distributeDividend":
      return distributeDividend(state, command);
    case "lockApiTrading":
      return lockApiTrading(state, command);
    default:
      return carryOutSetting(state, command);
  }
}

type Setting = Exclude<WalletAct, { readonly type: "approveWithdrawal" | "rejectWithdrawal" | "distributeDividend" }>;

function carryOutSetting(state: ExchangeState, command: Setting): RejectReason | null {
  switch (command.type) {
    case "unlockApiTrading":
      return unlockApiTrading(state, command);
    case "setAssetNetworks":
      return setAssetNetworks(state, command);
    case "setAddressList":
      return setAddressList(state, command);
    case "allowAddress":
      return allowAddress(state, command);
    case "disallowAddress":
      return disallowAddress(state, command);
    case "setTotp":
      return setTotp(state, command);
    case "setAccountStatus":
      return setAccountStatus(state, command);
    case "setMaintenance":
      return setMaintenance(state, command);
    case "setDustRules":
      return setDustRules(state, command);
  }
}
