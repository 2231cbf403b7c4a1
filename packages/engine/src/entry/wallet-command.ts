/**
 * Commands of the wallet: deposits, withdrawals, transfers, dust, dividends, and what an account is
 * allowed. Interface 4.5, 4.6; life cycles in Interface 3.6. Amounts are decimal strings of the asset.
 * A step that was taken already is refused and moves nothing, so each may be sent again after a crash.
 */
import type { AssetNetwork } from "./symbol.ts";
import type { DustRules } from "./wallet-record.ts";

/** Of a step that a node takes by itself, and an operator may take by hand: then `by` says who. Journals of 0.1.0 never say. */
interface PerhapsByHand {
  readonly by?: string;
}

/** A coin on its way is known by this everywhere: the same one never counts twice. */
export interface CoinId {
  readonly network: string;
  readonly txId: string;
  /** Of the transaction: output, log or 0. */
  readonly output: number;
}

/** The account gets an address of its own on the network. Each address (with its tag) belongs to one account. */
export interface AssignDepositAddress {
  readonly type: "assignDepositAddress";
  /** A customer's, or the venue's treasury. */
  readonly accountId: number;
  readonly network: string;
  readonly address: string;
  /** "" where the network has none. */
  readonly tag: string;
}

/** A coin was seen on its way to one of our addresses: pending. Seen again after it was dropped: pending again. */
export interface SeeDeposit extends CoinId, PerhapsByHand {
  readonly type: "seeDeposit";
  readonly asset: string;
  readonly address: string;
  readonly tag: string;
  readonly amount: string;
}
/**
 * It has confirmations enough to trade with: 0 -> 6. While deposits of the asset or the account are shut
 * it stays pending (DEPOSIT_SUSPENDED), and may be sent again.
 */
export interface CreditDeposit extends CoinId, PerhapsByHand {
  readonly type: "creditDeposit";
}
/** It is final: 0 or 6 -> 1; from 0 as above. */
export interface FinishDeposit extends CoinId, PerhapsByHand {
  readonly type: "finishDeposit";
}
/**
 * The chain took it back before it was final. What the account no longer has is paid by the treasury,
 * and the account may not withdraw until an operator allows it again.
 */
export interface DropDeposit extends CoinId, PerhapsByHand {
  readonly type: "dropDeposit";
}

/** `amount` is gross: the fee comes out of it. Interface S.18. */
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
  /** What the client calls the address; "" when it gave none. */
  readonly name: string;
  /** The client's own id; "" when it gave none. Unique per account. */
  readonly withdrawOrderId: string;
  /** The time step of the two-factor code that was checked (RFC 6238); null when none was sent. Each step is good once. */
  readonly totpStep: number | null;
  /** The account's sealed secret that the code was checked by; left out when none was sent. */
  readonly totpSecret?: string;
  /** SHA-256, hex, of the secret in the confirmation mail, for the case that a mail is demanded. */
  readonly confirmationHash: string;
}
/** By the mailed link: 0 -> 2 or 4. */
export interface ConfirmWithdrawal {
  readonly type: "confirmWithdrawal";
  readonly withdrawalId: string;
  readonly confirmationHash: string;
}
/** By the customer, or for him: 0 or 2 -> 1. */
export interface CancelWithdrawal extends PerhapsByHand {
  readonly type: "cancelWithdrawal";
  readonly accountId: number;
  readonly withdrawalId: string;
}
/** The signed transaction, before it is broadcast. Signed again only with the same nonce, so that it is never paid twice. */
export interface SignWithdrawal extends PerhapsByHand {
  readonly type: "signWithdrawal";
  readonly withdrawalId: string;
  readonly txId: string;
  readonly nonce: number;
  /** As the chain takes it. */
  readonly signedTx: string;
}
/**
 * It is final on the chain, by the transaction that is named: one of those signed, or any when none was
 * (an operator paid by hand). 4 -> 6.
 */
export interface CompleteWithdrawal extends PerhapsByHand {
  readonly type: "completeWithdrawal";
  readonly withdrawalId: string;
  readonly txId: string;
}
/** It will not be paid: 4 -> 5, while nothing is signed. What is signed may still arrive: ALREADY_SIGNED. */
export interface FailWithdrawal extends PerhapsByHand {
  readonly type: "failWithdrawal";
  readonly withdrawalId: string;
  readonly why: string;
}
/**
 * By word of its network nothing that was signed for it can arrive any more, for a transaction is final that took its
 * nonce, be it one of them, and paid nobody: 4 -> 5. Says what was looked for; TRANSACTION_DIFFERS when another
 * transaction was signed since, or none was signed at all.
 */
export interface FailSignedWithdrawal extends PerhapsByHand {
  readonly type: "failSignedWithdrawal";
  readonly withdrawalId: string;
  /** Of the transaction that was signed last. */
  readonly txId: string;
  readonly nonce: number;
  readonly why: string;
}
/** What the network charged the venue, paid by the treasury. Once per transaction. */
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

/** Between a master account and its sub-accounts, or between two of these. Interface 3.9. */
export interface Transfer {
  readonly type: "transfer";
  /** Who asks: the master. */
  readonly accountId: number;
  readonly fromAccountId: number;
  readonly toAccountId: number;
  readonly asset: string;
  readonly amount: string;
}

/** Turns what is left of the assets into the venue's dust asset. Interface 4.6. */
export interface ConvertDust {
  readonly type: "convertDust";
  readonly accountId: number;
  readonly assets: readonly string[];
}

/** Trading by API has been too careless: no new orders until then. Interface 3.8. */
export interface LockApiTrading {
  readonly type: "lockApiTrading";
  readonly accountId: number;
  readonly symbol: string;
  readonly indicator: "UFR" | "IFER" | "GCR";
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
  | PayNetworkCost
  | AdvanceNetwork
  | Transfer
  | ConvertDust
  | LockApiTrading;

/** Every command below is an act of an operator; `by` says who, and is kept in the journal. */
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
/** Networks of an asset, anew: fees, bounds, doors open or shut. */
export interface SetAssetNetworks extends OperatorAct {
  readonly type: "setAssetNetworks";
  readonly asset: string;
  readonly networks: readonly AssetNetwork[];
}
/** Whether withdrawals of the account go to addresses of its list alone. */
export interface SetAddressList extends OperatorAct {
  readonly type: "setAddressList";
  readonly accountId: number;
  readonly isEnforced: boolean;
}
export interface AllowAddress extends OperatorAct {
  readonly type: "allowAddress";
  readonly accountId: number;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  readonly name: string;
}
export interface DisallowAddress extends OperatorAct {
  readonly type: "disallowAddress";
  readonly accountId: number;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
}
/** Two-factor codes are demanded from now on; the secret arrives sealed. null takes them away, and only then there can be others. */
export interface SetTotp extends OperatorAct {
  readonly type: "setTotp";
  readonly accountId: number;
  readonly sealedSecret: string | null;
}
/** What accountStatus says, beside what the exchange itself has to say. Empty: "Normal". */
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
/** While it lasts nobody places orders or withdraws; cancelling goes on. systemStatus 1. */
export interface SetMaintenance extends OperatorAct {
  readonly type: "setMaintenance";
  readonly isOn: boolean;
}
export interface SetDustRules extends OperatorAct {
  readonly type: "setDustRules";
  readonly rules: DustRules;
}
/**
 * Pays the holders of an asset out of the treasury, pro rata to free and locked, each rounded down;
 * what is left over stays with the treasury. Once per `reference`.
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
  | SetAddressList
  | AllowAddress
  | DisallowAddress
  | SetTotp
  | SetAccountStatus
  | UnlockApiTrading
  | SetMaintenance
  | SetDustRules
  | DistributeDividend;
