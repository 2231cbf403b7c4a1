/** The model's wallet: everything that ever came or went, in plain lists that are searched linearly. */
import type {
  DepositStatus,
  LetterStatus,
  RejectReason,
  WalletAct,
  WalletCommand,
  WithdrawalStatus,
} from "@pricetime/engine";
import type { Amount } from "../amount.ts";
import type { ModelExchange } from "../exchange.ts";
import type { Happening } from "../happening.ts";
import { ModelUsedIds } from "../used-ids.ts";
import { depositStep, seeDeposit } from "./deposits.ts";
import { convertDust, type ModelDustRules, setDustRules } from "./dust.ts";
import { type ModelLimits, setLimits } from "./limits-over-time.ts";
import { lockApiTrading, type ModelLock, unlockApiTrading } from "./locks.ts";
import { distributeDividend, payNetworkCost, transfer } from "./payments.ts";
import { setting } from "./settings.ts";
import { changeLetter, expire, requestWithdrawal, withdrawalStep } from "./withdrawals.ts";

export interface ModelDeposit {
  readonly coin: string;
  readonly depositId: number;
  readonly network: string;
  readonly accountId: number;
  readonly asset: string;
  readonly amount: Amount;
  /** What the treasury has paid for while the coin was gone. */
  owed: Amount;
  status: DepositStatus;
  readonly address: string;
  readonly tag: string;
  /** Whether it ended when the rules compared ids alone. */
  isIdAlone: boolean;
}

export interface ModelWithdrawal {
  readonly withdrawalId: string;
  readonly withdrawOrderId: string;
  readonly accountId: number;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  readonly amount: Amount;
  readonly fee: Amount;
  readonly hash: string;
  readonly needsApproval: boolean;
  /** Why it waits, in the words of `limits-over-time.ts`. */
  readonly reasons: readonly string[];
  /** Requested under rules version 4 or later. */
  readonly isCounted: boolean;
  /** The account's sum over 24 hours then. */
  readonly sumAtRequest: Amount;
  readonly appliedMs: number;
  readonly signed: { txId: string; nonce: number }[];
  status: WithdrawalStatus;
  letter: LetterStatus;
}

export interface ModelAddress {
  readonly accountId: number;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
}

export class ModelWallet {
  readonly exchange: ModelExchange;
  readonly addresses: ModelAddress[] = [];
  readonly deposits: ModelDeposit[] = [];
  readonly withdrawals: ModelWithdrawal[] = [];
  allowed: ModelAddress[] = [];
  limits: ModelLimits[] = [];
  readonly locks: ModelLock[] = [];
  readonly costs = new ModelUsedIds();
  readonly dividends = new ModelUsedIds();
  /** Clients' own ids of transfers. */
  readonly transferIds: { masterId: number; clientTranId: string; contents: string }[] = [];
  /** Clients' own ids of withdrawals, by account. */
  readonly orderIds = new ModelUsedIds();
  /** Every two-factor step that was accepted. */
  readonly totpSteps: { accountId: number; step: number }[] = [];
  readonly dustSales: { accountId: number; timeMs: number }[] = [];
  dustRules: ModelDustRules | null = null;
  isInMaintenance = false;
  tranId = 0;

  constructor(exchange: ModelExchange) {
    this.exchange = exchange;
  }

  answer(command: WalletCommand | WalletAct): Happening[] | RejectReason {
    switch (command.type) {
      case "seeDeposit":
        return seeDeposit(this, command);
      case "creditDeposit":
      case "finishDeposit":
      case "dropDeposit":
        return depositStep(this, command);
      case "requestWithdrawal":
        return requestWithdrawal(this, command);
      case "confirmWithdrawal":
      case "cancelWithdrawal":
      case "approveWithdrawal":
      case "rejectWithdrawal":
      case "signWithdrawal":
      case "completeWithdrawal":
      case "failWithdrawal":
      case "failSignedWithdrawal":
        return withdrawalStep(this, command);
      case "changeLetter":
        return changeLetter(this, command);
      case "transfer":
        return transfer(this, command);
      case "payNetworkCost":
        return payNetworkCost(this, command);
      case "distributeDividend":
        return distributeDividend(this, command);
      case "convertDust":
        return convertDust(this, command);
      case "setDustRules":
        return setDustRules(this, command);
      case "lockApiTrading":
        return lockApiTrading(this, command);
      case "unlockApiTrading":
        return unlockApiTrading(this, command);
      case "setWithdrawalLimits":
      case "setAccountWithdrawalLimits":
        return setLimits(this, command);
      default:
        return setting(this, command);
    }
  }

  /** Ends what is over by time alone. */
  expire(): Happening[] {
    return expire(this);
  }

  /** Returns what the account may take out: its free money less what the chain may still take back. */
  withdrawable(accountId: number, asset: string): Amount {
    const held = this.deposits
      .filter((deposit) => deposit.accountId === accountId && deposit.asset === asset && deposit.status === "credited")
      .reduce((sum, { amount, owed }) => sum + amount - owed, 0n);
    const { free } = this.exchange.money.of(accountId, asset);
    return free > held ? free - held : 0n;
  }

  openWithdrawals(): ModelWithdrawal[] {
    return this.withdrawals.filter(({ status }) => ["emailSent", "awaitingApproval", "processing"].includes(status));
  }
}
