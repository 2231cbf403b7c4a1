/** Schemas of the account API's answers. The account pages derive their types from them. */
import { z } from "zod";
import {
  accountLimitRow,
  count,
  counts,
  flag,
  flags,
  keyRow,
  pendingTotp,
  sessionRow,
  text,
  texts,
} from "../http/shapes.ts";

const venue = z.object({
  signUp: z.enum(["open", "invitation"]),
  ...counts("passwordMin", "passwordMax", "passwordResetDelayMs"),
  hasMailServer: flag,
});
export type Venue = z.output<typeof venue>;

/** Smallest increments of deposits and withdrawals on a network; absent if equal to the asset's smallest unit. */
const steps = z.object({
  ...texts("asset", "network"),
  ...{ depositStep: text.exactOptional(), withdrawStep: text.exactOptional() },
});
export type Steps = z.output<typeof steps>;

/** A network on which customers transfer money to a bank account, with what the operator configured about it. */
const manualNetwork = z.object({ network: text, transferDetails: z.array(z.object(texts("label", "value"))) });
export type ManualNetwork = z.output<typeof manualNetwork>;

const named = { ...counts("accountId"), ...texts("email", "name") };

const subAccount = z.object({ ...named, isEnabled: flag, paysInDiscountAsset: flag });
export type SubAccount = z.output<typeof subAccount>;

/** `addressListEndsMs`: when the allowlist ends, if the customer has switched it off; otherwise null. */
const addressList = { isAddressListEnforced: flag, addressListEndsMs: count.nullable() };

const profile = z.object({
  ...{ ...named, ...counts("makerBps", "takerBps") },
  ...flags("canTrade", "canWithdraw", "canDeposit", "confirmsByEmail"),
  ...addressList,
  /** Waiting time for a new address, and for switching off the allowlist. */
  addressWaitMs: count,
  hasTotp: flag,
  /** The language of emails to the customer. */
  language: text,
  /** Whether the account pays trading fees in the discount asset where it can. */
  paysInDiscountAsset: flag,
  /** The exchange's discount; null if it offers none. */
  commissionDiscount: z.object({ asset: text, factorBps: count }).nullable(),
  /** When the withdrawal lock after a password reset ends; 0 if there is none. */
  heldUntilMs: count,
  subAccounts: z.array(subAccount),
});
export type Profile = z.output<typeof profile>;

const session = z.object({ ...named, sessionId: text, ...counts("openedMs", "untilMs") });
export type Session = z.output<typeof session>;

const ownSessionRow = sessionRow.extend({ isThis: flag });
export type SessionRow = z.output<typeof ownSessionRow>;

/** `secretKey`: absent if the customer provided a public key. */
const createdKey = z.object({ apiKey: text, secretKey: text.exactOptional() });
export type CreatedKey = z.output<typeof createdKey>;

/** `fromMs`: when withdrawals to the address become possible; 0 if there is no waiting time. */
const addressRow = z.object({ ...texts("network", "address", "tag", "name"), fromMs: count });
export type AddressRow = z.output<typeof addressRow>;

/** A pending deposit. `isCredited`: it can already be traded, but not yet withdrawn. */
const depositRow = z.object({
  ...texts("id", "asset", "amount", "network", "address", "tag", "txId"),
  ...{ insertTimeMs: count, isCredited: flag },
  ...counts("confirmations", "creditConfirmations", "finalConfirmations"),
});
export type PendingDepositRow = z.output<typeof depositRow>;

/** `rules`: null if the exchange does not convert small balances. */
const dust = z.object({
  rules: z.object({ ...texts("dustAsset", "limitAsset", "limit"), ...counts("chargeBps", "pauseMs") }).nullable(),
  balances: z.array(z.object(texts("asset", "free"))),
});
export type Dust = z.output<typeof dust>;

const published = z.object({ ...counts("number", "seq"), ...texts("root", "previous"), publishedMs: count });

/** A line of a statement. `amount`: negative if the bucket was debited. `balanceAfter`: the balance of the bucket. */
const posting = z.object({
  ...{ id: text, timeMs: count, asset: text, bucket: z.enum(["free", "locked"]) },
  ...texts("amount", "reason", "balanceAfter"),
});
export type Posting = z.output<typeof posting>;
const total = z.object(texts("asset", "free", "locked"));
export type StatementTotal = z.output<typeof total>;
/** Free and locked amounts of an asset together: opening + movements = closing. */
const sum = z.object(texts("asset", "opening", "movements", "closing"));
export type StatementSum = z.output<typeof sum>;
const statement = z.object({
  ...{ month: text, ...counts("accountId", "fromMs", "untilMs"), opening: z.array(total) },
  ...{ postings: z.array(posting), closing: z.array(total), sums: z.array(sum), proof: published.nullable() },
});
export type Statement = z.output<typeof statement>;

/** `averageCost` and `price`: of one unit, in the asset of values. Null: not known. */
const portfolioAsset = z.object({
  ...{ asset: text, quantity: text, averageCost: text.nullable(), cost: text.nullable(), price: text.nullable() },
  ...{ value: text.nullable(), unrealizedProfit: text.nullable(), realizedProfit: text, isRealizedComplete: flag },
});
export type PortfolioAsset = z.output<typeof portfolioAsset>;
const portfolio = z.object({
  ...{ asset: text, trades: count, assets: z.array(portfolioAsset), unpriced: z.array(text) },
  totals: z.object(texts("value", "cost", "unrealizedProfit", "realizedProfit")),
  values: z.array(z.object({ timeMs: count, value: text })),
});
export type Portfolio = z.output<typeof portfolio>;

const invitation = z.object({ email: text, isNew: flag, name: text, untilMs: count });
export type InvitationLink = z.output<typeof invitation>;
const reset = z.object(counts("fromMs", "untilMs"));
export type ResetLink = z.output<typeof reset>;

/** Answer schemas of routes, by subject. */
export const ANSWERS = {
  ...{
    venue,
    profile,
    session,
    statement,
    portfolio,
    dust,
    pendingTotp,
    invitation,
    reset,
    createdKey,
    address: addressRow,
  },
  ...{ signedIn: z.object(named), addressList: z.object(addressList), ticket: z.object({ ticket: text }) },
  ...{
    manualNetworks: z.array(manualNetwork),
    steps: z.array(steps),
    sessions: z.array(ownSessionRow),
    keys: z.array(keyRow),
    addresses: z.array(addressRow),
  },
  ...{ withdrawalLimits: z.array(accountLimitRow), deposits: z.array(depositRow) },
  published: published.nullable(),
};
