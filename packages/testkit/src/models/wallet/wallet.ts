/** The model's wallet: everything that ever came or went, in plain lists that are searched linearly. */
import type { RejectReason, WalletAct, WalletCommand } from "@pricetime/engine";
import type { Happening } from "../happening.ts";
import type { ModelWallet } from "../state.ts";
import { depositStep, seeDeposit } from "./deposits.ts";
import { convertDust, setDustRules } from "./dust.ts";
import { setLimits } from "./limits-over-time.ts";
import { lockApiTrading, unlockApiTrading } from "./locks.ts";
import { distributeDividend, payNetworkCost, transfer } from "./payments.ts";
import { setting } from "./settings.ts";
import { changeLetter, requestWithdrawal, withdrawalStep } from "./withdrawals.ts";

export function walletAnswer(wallet: ModelWallet, command: WalletCommand | WalletAct): Happening[] | RejectReason {
  switch (command.type) {
    case "seeDeposit":
      return seeDeposit(wallet, command);
    case "creditDeposit":
    case "finishDeposit":
    case "dropDeposit":
      return depositStep(wallet, command);
    case "requestWithdrawal":
      return requestWithdrawal(wallet, command);
    case "confirmWithdrawal":
    case "cancelWithdrawal":
    case "approveWithdrawal":
    case "rejectWithdrawal":
    case "signWithdrawal":
    case "completeWithdrawal":
    case "failWithdrawal":
    case "failSignedWithdrawal":
      return withdrawalStep(wallet, command);
    case "changeLetter":
      return changeLetter(wallet, command);
    case "transfer":
      return transfer(wallet, command);
    case "payNetworkCost":
      return payNetworkCost(wallet, command);
    case "distributeDividend":
      return distributeDividend(wallet, command);
    case "convertDust":
      return convertDust(wallet, command);
    case "setDustRules":
      return setDustRules(wallet, command);
    case "lockApiTrading":
      return lockApiTrading(wallet, command);
    case "unlockApiTrading":
      return unlockApiTrading(wallet, command);
    case "setWithdrawalLimits":
    case "setAccountWithdrawalLimits":
      return setLimits(wallet, command);
    default:
      return setting(wallet, command);
  }
}
