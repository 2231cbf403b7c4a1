/** The engine's refusals of the wallet's commands as errors of the interface. Interface 7.10. */
import { type ApiError, apiError } from "./errors.ts";
import {
  ADDRESS_NOT_LISTED,
  DUST_NOT_OFFERED,
  DUST_UNKNOWN_ASSET,
  ILLEGAL_ADDRESS,
  INVALID_OPERATION,
  invalidData,
  MASTER_ACCOUNT_ONLY,
  mandatory,
  NO_SUCH_WITHDRAWAL,
  NOT_RELATED,
  TOO_MANY_WALLET_REQUESTS,
  UNKNOWN_ASSET,
  VERIFICATION_FAILED,
  WITHDRAWAL_LIMITED,
  WITHDRAWAL_SUSPENDED,
} from "./refusals.ts";
import type { RejectWord } from "./reject-word.ts";
import { rejectError } from "./rejects.ts";

/** Amounts named in the texts, as decimals for clients. */
export interface WithdrawalBounds {
  readonly min: string;
  readonly step: string;
}

type Table = ReadonlyMap<RejectWord, ApiError>;

const WITHDRAWAL: Table = new Map([
  ["UNKNOWN_ASSET", UNKNOWN_ASSET],
  ["UNKNOWN_NETWORK", invalidData("network")],
  ["WITHDRAWAL_SUSPENDED", WITHDRAWAL_SUSPENDED],
  ["ACCOUNT_MAY_NOT_WITHDRAW", WITHDRAWAL_LIMITED],
  ["WITHDRAWAL_ABOVE_MAXIMUM", apiError(-4023, "Within 24 hours, the withdrawal exceeds the maximum amount.")],
  ["WITHDRAWAL_BELOW_FEE", apiError(-4028, "The amount of withdrawal must be greater than the Commission.")],
  ["INSUFFICIENT_BALANCE", apiError(-4026, "You have insufficient balance.")],
  ["ADDRESS_NOT_ALLOWED", ADDRESS_NOT_LISTED],
  ["ADDRESS_IS_OWN", ILLEGAL_ADDRESS],
  ["TOTP_REQUIRED", mandatory("code")],
  ["TOTP_REUSED", VERIFICATION_FAILED],
  ["TOTP_DIFFERS", VERIFICATION_FAILED],
  ["UNKNOWN_WITHDRAWAL", NO_SUCH_WITHDRAWAL],
  ["TOO_MANY", TOO_MANY_WALLET_REQUESTS],
  // The client's own id was used before, for an equal request or another: the second is refused either way.
  ["ALREADY_EXISTS", invalidData("withdrawOrderId")],
  ["REPEAT_DIFFERS", invalidData("withdrawOrderId")],
  ["CONTENTS_NOT_KEPT", invalidData("withdrawOrderId")],
  ["INVALID_VALUE", INVALID_OPERATION],
]);

export function withdrawalError(reason: RejectWord, { min, step }: WithdrawalBounds): ApiError {
  if (reason === "WITHDRAWAL_BELOW_MINIMUM") {
    return apiError(-4022, `Not less than the minimum pick-up quantity ${min}.`);
  }
  if (reason === "WITHDRAWAL_NOT_A_MULTIPLE") {
    return apiError(-4021, `Asset withdrawal must be an integer multiple of ${step}.`);
  }
  return WITHDRAWAL.get(reason) ?? rejectError(reason, "other");
}

const TRANSFER: Table = new Map([
  ["UNKNOWN_ASSET", UNKNOWN_ASSET],
  ["INSUFFICIENT_BALANCE", apiError(-4026, "You have insufficient balance.")],
  ["MASTER_ONLY", MASTER_ACCOUNT_ONLY],
  ["NOT_RELATED", NOT_RELATED],
  ["UNKNOWN_ACCOUNT", NOT_RELATED],
  ["SAME_ACCOUNT", INVALID_OPERATION],
  ["INVALID_VALUE", INVALID_OPERATION],
  ["ACCOUNT_MAY_NOT_WITHDRAW", WITHDRAWAL_LIMITED],
  // The client's own id made another transfer before.
  ["REPEAT_DIFFERS", invalidData("clientTranId")],
]);

export function transferError(reason: RejectWord): ApiError {
  return TRANSFER.get(reason) ?? rejectError(reason, "other");
}

const DUST: Table = new Map([
  ["DUST_NOT_OFFERED", DUST_NOT_OFFERED],
  ["DUST_ASSET_ITSELF", DUST_NOT_OFFERED],
  ["NO_PRICE", DUST_NOT_OFFERED],
  ["TREASURY_SHORT", DUST_NOT_OFFERED],
  ["INSUFFICIENT_BALANCE", apiError(-5002, "You have insufficient balance.")],
  ["UNKNOWN_ASSET", DUST_UNKNOWN_ASSET],
  ["INVALID_VALUE", invalidData("asset")],
  ["TOO_MANY", invalidData("asset")],
]);

/** Values named in the texts about dust. */
export interface DustWords {
  /** The assets at fault, as in `ETH,XRP`. */
  readonly assets: string;
  /** As in `0.001BTC`. */
  readonly limit: string;
  /** The pause between two conversions. */
  readonly pauseMs: number;
}

const SPANS: readonly (readonly [ms: number, unit: string])[] = [
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1000, "second"],
  [1, "millisecond"],
];

/** The span in the largest unit that divides it, as in `24 hours`. */
function spanText(spanMs: number): string {
  const [ms, unit] = SPANS.find(([unitMs]) => spanMs % unitMs === 0) ?? [1, "millisecond"];
  const count = spanMs / ms;
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}

export function dustError(reason: RejectWord, { assets, limit, pauseMs }: DustWords): ApiError {
  if (reason === "DUST_TOO_SOON") return apiError(-5006, `Only transfer once in ${spanText(pauseMs)}.`);
  if (reason === "DUST_TOO_MUCH") {
    return apiError(-5004, `The residual balances of ${assets} have exceeded ${limit}, Please re-choose.`);
  }
  if (reason === "DUST_TOO_LITTLE") {
    return apiError(-5005, `The residual balances of ${assets} is too low, Please re-choose.`);
  }
  return DUST.get(reason) ?? rejectError(reason, "other");
}
