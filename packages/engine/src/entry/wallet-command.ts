/**
 * Commands of the wallet: deposits, withdrawals, transfers, dust, dividends, and the limits of an account. Interface
 * 4.5, 4.6; life cycles in Interface 3.6. Amounts are decimal strings of the asset. A repeated step is refused and
 * moves nothing, so each may be sent again after a crash.
 */
import type { CodeOfAct } from "./access.ts";
import type { AssetNetwork, LimitsOverTime, WithdrawalLimits } from "./symbol.ts";
import type { DustRules, LetterStatus, TradingIndicator } from "./wallet-record.ts";

/** A step that a node takes by itself or an operator by hand: then `by` says who. Journals of 0.1.0 never do. */
interface PerhapsByHand {
  readonly by?: string;
}

/** Identifies a coin on its way everywhere, so that it never counts twice. */
export interface CoinId {
  readonly network: string;
  readonly txId: string;
  /** Index of the output or log in the transaction, or 0. */
  readonly output: number;
}

/** The account gets an address of its own on the network. Each address (with its tag) belongs to one account. */
export interface AssignDepositAddress {
  readonly type: "assignDepositAddress";
  /** A customer's account, or the venue's treasury. */
  readonly accountId: number;
  readonly network: string;
  readonly address: string;
  /** "" where the network has none. */
  readonly tag: string;
}

/** What a report says of a deposit. Each report of the same coin must say the same, from rules version 4 on. */
export interface DepositContents {
  readonly asset: string;
  readonly address: string;
  readonly tag: string;
  readonly amount: string;
}

/** A coin was seen on its way to one of our addresses: pending. Seen again after it was dropped: pending again. */
export interface SeeDeposit extends CoinId, PerhapsByHand, DepositContents {
  readonly type: "seeDeposit";
}
/** A step of a deposit. Journals of rules versions 1 to 3 have steps without contents. */
interface DepositStep extends CoinId, PerhapsByHand, Partial<DepositContents> {}
/**
 * The deposit has enough confirmations for trading: 0 -> 6. While deposits of the asset or the account are suspended it
 * stays pending (DEPOSIT_SUSPENDED), and the command may be sent again.
 */
export interface CreditDeposit extends DepositStep {
  readonly type: "creditDeposit";
}
/** The deposit is final: 0 or 6 -> 1; from 0 as in `CreditDeposit`. */
export interface FinishDeposit extends DepositStep {
  readonly type: "finishDeposit";
}
/**
 * The chain reverted the deposit before it was final. The treasury pays whatever the account no longer has, and the
 * account may not withdraw until an operator allows it again.
 */
export interface DropDeposit extends DepositStep {
  readonly type: "dropDeposit";
}

/** `amount` is gross: the fee is deducted from it. Interface S.18. */
export interface RequestWithdrawal {
  readonly type: "requestWithdrawal";
  /** 32 hex digits, made by the gateway. */
  readonly withdrawalId: string;
  readonly accountId: number;
  readonly asset: string;
  /** "": the asset's default network. */
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  readonly amount: string;
  /** The client's name for the address; "" when absent. */
  readonly name: string;
  /** The client's own id; "" when absent. Unique per account. */
  readonly withdrawOrderId: string;
  /** The time step of the checked two-factor code (RFC 6238); null without one. Each step is good once. */
  readonly totpStep: number | null;
  /** The account's sealed secret against which the code was checked; absent without a code. */
  readonly totpSecret?: string;
  /** SHA-256, hex, of the secret in the confirmation mail, in case a mail is required. */
  readonly confirmationHash: string;
  /** Asked for by somebody who signed in with a password: it waits for the mailed link whatever else holds. */
  readonly isBySession?: true;
}
/** The customer followed the mailed link: 0 -> 2 or 4. */
export interface ConfirmWithdrawal {
  readonly type: "confirmWithdrawal";
  readonly withdrawalId: string;
  readonly confirmationHash: string;
}
/** The customer, or an operator on the customer's behalf, cancels: 0 or 2 -> 1. */
export interface CancelWithdrawal extends PerhapsByHand {
  readonly type: "cancelWithdrawal";
  readonly accountId: number;
  readonly withdrawalId: string;
}
/** The signed transaction, before its broadcast. Signed again only with the same nonce, so it is never paid twice. */
export interface SignWithdrawal extends PerhapsByHand {
  readonly type: "signWithdrawal";
  readonly withdrawalId: string;
  readonly txId: string;
  readonly nonce: number;
  /** The transaction in the form that the chain accepts. */
  readonly signedTx: string;
}
/**
 * The withdrawal is final on the chain, by the named transaction: one of those signed, or any when none was (an
 * operator paid by hand). 4 -> 6.
 */
export interface CompleteWithdrawal extends PerhapsByHand {
  readonly type: "completeWithdrawal";
  readonly withdrawalId: string;
  readonly txId: string;
}
/** The withdrawal will not be paid: 4 -> 5, while nothing is signed. A signed one may still arrive: ALREADY_SIGNED. */
export interface FailWithdrawal extends PerhapsByHand {
  readonly type: "failWithdrawal";
  readonly withdrawalId: string;
  readonly why: string;
}
/**
 * The network reports that no transaction signed for the withdrawal can arrive any more: a final transaction took its
 * nonce and did not pay it, even if it is one of them. 4 -> 5. Names the transaction looked for; TRANSACTION_DIFFERS
 * when another was signed since, or none was signed at all.
 */
export interface FailSignedWithdrawal extends PerhapsByHand {
  readonly type: "failSignedWithdrawal";
  readonly withdrawalId: string;
  /** Id of the transaction signed last. */
  readonly txId: string;
  readonly nonce: number;
  readonly why: string;
}
/**
 * Where the letter with a withdrawal's link stands. Refused (WRONG_STATUS) unless it stands at `from`, so of two that
 * claim a letter one sends it. A node that is alone keeps its letters without it.
 */
export interface ChangeLetter extends PerhapsByHand {
  readonly type: "changeLetter";
  readonly withdrawalId: string;
  readonly from: LetterStatus;
  readonly to: LetterStatus;
}
/** A network's charge to the venue, paid by the treasury. Once per transaction. */
export interface PayNetworkCost {
  readonly type: "payNetworkCost";
  readonly network: string;
  readonly txId: string;
  readonly asset: string;
  readonly amount: string;
}
/** The watcher has seen everything up to this block. May go back: after a reorg it reads again. */
export interface AdvanceNetwork extends PerhapsByHand {
  readonly type: "advanceNetwork";
  readonly network: string;
  readonly height: number;
  readonly blockHash: string;
}

/** Moves money between a master account and its sub-accounts, or between two of these. Interface 3.9. */
export interface Transfer {
  readonly type: "transfer";
  /** The master, who asks for it. */
  readonly accountId: number;
  readonly fromAccountId: number;
  readonly toAccountId: number;
  readonly asset: string;
  readonly amount: string;
  /** The client's own id, under which the master's transfer is made once. Since rules version 4. */
  readonly clientTranId?: string;
}

/** Converts small remainders of the assets into the venue's dust asset. Interface 4.6. */
export interface ConvertDust {
  readonly type: "convertDust";
  readonly accountId: number;
  readonly assets: readonly string[];
}

/** API trading of the account was too careless: no new orders until the time given. Interface 3.8. */
export interface LockApiTrading {
  readonly type: "lockApiTrading";
  readonly accountId: number;
  readonly symbol: string;
  readonly indicator: TradingIndicator;
}

export type WalletCommand =
  | AssignDepositAddress
  | SeeDeposit
  | CreditDeposit
  | FinishDeposit
  | DropDeposit
  | RequestWithdrawal
  | ConfirmWithdrawal
  | CancelWithdrawal
  | SignWithdrawal
  | CompleteWithdrawal
  | FailWithdrawal
  | FailSignedWithdrawal
  | ChangeLetter
  | PayNetworkCost
  | AdvanceNetwork
  | Transfer
  | ConvertDust
  | LockApiTrading;

/** Every command below is an act of an operator; `by` names the operator and is kept in the journal. */
interface OperatorAct {
  readonly by: string;
}

/** 2 -> 4. */
export interface ApproveWithdrawal extends OperatorAct {
  readonly type: "approveWithdrawal";
  readonly withdrawalId: string;
}
/** 2 -> 3. */
export interface RejectWithdrawal extends OperatorAct {
  readonly type: "rejectWithdrawal";
  readonly withdrawalId: string;
  readonly why: string;
}
/** Replaces the networks of an asset: fees, bounds, suspensions. */
export interface SetAssetNetworks extends OperatorAct {
  readonly type: "setAssetNetworks";
  readonly asset: string;
  readonly networks: readonly AssetNetwork[];
}
/** Replaces the withdrawal limits of an asset. What was counted stays, so a change of a limit frees nothing. */
export interface SetWithdrawalLimits extends OperatorAct {
  readonly type: "setWithdrawalLimits";
  readonly asset: string;
  readonly limits: WithdrawalLimits;
}
/** Gives an account limits of its own, with no limit over a window that is absent; null: the asset's limits apply. */
export interface SetAccountWithdrawalLimits extends OperatorAct {
  readonly type: "setAccountWithdrawalLimits";
  /** A master: its sub-accounts count with it. */
  readonly accountId: number;
  readonly asset: string;
  readonly limits: LimitsOverTime | null;
}
/** Whether the account may withdraw only to addresses on its list. */
export interface SetAddressList extends OperatorAct, CodeOfAct {
  readonly type: "setAddressList";
  readonly accountId: number;
  readonly isEnforced: boolean;
  /** The list holds until then, although `isEnforced` is false: whoever stole a session waits, too. Absent: it ends now. */
  readonly fromMs?: number;
}
export interface AllowAddress extends OperatorAct, CodeOfAct {
  readonly type: "allowAddress";
  readonly accountId: number;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  readonly name: string;
  /** The list has it from then on. Absent: at once. */
  readonly fromMs?: number;
}
export interface DisallowAddress extends OperatorAct {
  readonly type: "disallowAddress";
  readonly accountId: number;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
}
/** Requires two-factor codes from now on; the secret arrives sealed. null removes it; only then can another be set. */
export interface SetTotp extends OperatorAct, CodeOfAct {
  readonly type: "setTotp";
  readonly accountId: number;
  readonly sealedSecret: string | null;
}
/** The operator's message in accountStatus, in addition to the exchange's own. Empty: "Normal". */
export interface SetAccountStatus extends OperatorAct {
  readonly type: "setAccountStatus";
  readonly accountId: number;
  readonly message: string;
  readonly objs: readonly string[];
}
/** Ends a lock of API trading early. */
export interface UnlockApiTrading extends OperatorAct {
  readonly type: "unlockApiTrading";
  readonly accountId: number;
}
/** During maintenance nobody places orders or withdraws; cancelling goes on. systemStatus 1. */
export interface SetMaintenance extends OperatorAct {
  readonly type: "setMaintenance";
  readonly isOn: boolean;
}
export interface SetDustRules extends OperatorAct {
  readonly type: "setDustRules";
  readonly rules: DustRules;
}
/**
 * Pays the holders of an asset out of the treasury, pro rata to free and locked, each rounded down; the remainder stays
 * with the treasury. Once per `reference`.
 */
export interface DistributeDividend extends OperatorAct {
  readonly type: "distributeDividend";
  readonly reference: string;
  readonly heldAsset: string;
  readonly paidAsset: string;
  readonly amount: string;
  /** `enInfo` of assetDividend. */
  readonly info: string;
}

export type WalletAct =
  | ApproveWithdrawal
  | RejectWithdrawal
  | SetAssetNetworks
  | SetWithdrawalLimits
  | SetAccountWithdrawalLimits
  | SetAddressList
  | AllowAddress
  | DisallowAddress
  | SetTotp
  | SetAccountStatus
  | UnlockApiTrading
  | SetMaintenance
  | SetDustRules
  | DistributeDividend;
