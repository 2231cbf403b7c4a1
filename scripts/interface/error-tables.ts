/** All error codes with all their messages, determined by calling the protocol's own functions. */
import type { RejectReason, WalletRejectReason } from "@pricetime/engine";
import * as protocol from "@pricetime/protocol";
import { type ApiError, ERROR_KINDS, isApiError, type RejectContext } from "@pricetime/protocol";
import {
  BODY_TOO_LARGE,
  FORBIDDEN_PATH,
  FOREIGN_ORIGIN,
  NOT_A_FORM,
  TOO_MANY_CONNECTIONS,
  URL_TOO_LONG,
} from "../../packages/server/src/api/edge/refusals.ts";
import { code, table } from "./markdown.ts";

/** Codes below this one are the wallet's. */
const FIRST_WALLET_CODE = -4000;

/** The placeholder for a name in a message. */
const NAMED = "%s";
/** The placeholder where the compiler requires a number. */
const NUMBER = NAMED as unknown as number;

/** Messages with a placeholder, each created once. */
const NAMING: readonly ApiError[] = [
  protocol.illegalCharacters(NAMED, NAMED),
  protocol.mandatory(NAMED),
  protocol.eitherMandatory(NAMED, NAMED),
  protocol.unreadParameters(NUMBER, NUMBER),
  protocol.emptyParameter(NAMED),
  protocol.notRequired(NAMED),
  protocol.overflowed(NAMED),
  protocol.invalidData(NAMED),
  protocol.fieldsTogether([NAMED]),
  protocol.moreThanHours(NUMBER),
  protocol.tooManySubscriptions(NUMBER),
  protocol.tooManyValues("symbols", 100),
  protocol.badPrecision(NAMED),
  protocol.invalidAmount(NAMED),
  protocol.tooMuchWeight(NUMBER, NUMBER, NAMED),
  protocol.tooManyRequests(NUMBER, NUMBER, NAMED),
  protocol.banned(NUMBER),
  protocol.tooManyOrders(NUMBER, 1, NAMED),
  protocol.icebergNotGtc(NAMED),
  protocol.pendingTag(NAMED),
  ...(["limit", "stop loss", "take profit"] as const).flatMap((leg) =>
    (["BUY", "SELL"] as const).map((side) => protocol.misplaced(leg, side)),
  ),
  ...[-1115, -1116, -1117, -1120, -1122, -1134, -1136, -1139, -1145, -1210, -1211].map((wrong) =>
    protocol.invalidWord(wrong, NAMED),
  ),
];

/** Errors of the HTTP edge. */
const OF_THE_EDGE: readonly ApiError[] = [
  FORBIDDEN_PATH,
  FOREIGN_ORIGIN,
  URL_TOO_LONG,
  BODY_TOO_LARGE,
  NOT_A_FORM,
  TOO_MANY_CONNECTIONS,
];

/**
 * The rejection reasons of orders except for filters: clients receive those with `told`, only operators the others. The
 * compiler checks that none is missing.
 */
const WORDS: Readonly<Record<Exclude<RejectReason, WalletRejectReason | protocol.FilterType>, "told" | "operators">> = {
  INVALID_QUANTITY: "told",
  MARKET_CLOSED: "told",
  CANCEL_ONLY: "told",
  INSUFFICIENT_BALANCE: "told",
  DUPLICATE_ORDER: "told",
  UNKNOWN_ORDER: "told",
  CANCEL_IDS_DISAGREE: "told",
  CANCEL_RESTRICTED: "told",
  AMEND_NOT_SUPPORTED: "told",
  AMEND_INCREASES: "told",
  AMEND_CHANGES_NOTHING: "told",
  AMEND_PENDING_OPO: "told",
  UNKNOWN_SYMBOL: "told",
  ORDER_TYPE_NOT_SUPPORTED: "told",
  ICEBERG_NOT_SUPPORTED: "told",
  ICEBERG_EXCEEDS_QUANTITY: "told",
  QUOTE_ORDER_QTY_NOT_SUPPORTED: "told",
  UNSUPPORTED_COMBINATION: "told",
  SELF_TRADE_PREVENTION_NOT_ALLOWED: "told",
  TRAILING_STOP_NOT_SUPPORTED: "told",
  PEG_NOT_SUPPORTED: "told",
  PEG_ORDER_TYPE: "told",
  PEG_PRICE_TYPE: "told",
  PEG_LEVEL_MISSING: "told",
  WOULD_MATCH_IMMEDIATELY: "told",
  WOULD_TRIGGER_IMMEDIATELY: "told",
  OCO_NOT_SUPPORTED: "told",
  OCO_BAD_PRICES: "told",
  OTO_NOT_SUPPORTED: "told",
  OPO_NOT_SUPPORTED: "told",
  ACCOUNT_MAY_NOT_TRADE: "told",
  TOO_MANY_OPEN_ORDERS: "told",
  UNKNOWN_LISTEN_KEY: "told",
  LISTEN_KEYS_RETIRED: "operators",
  UNKNOWN_ACCOUNT: "operators",
  UNKNOWN_ASSET: "operators",
  UNKNOWN_API_KEY: "operators",
  ALREADY_EXISTS: "operators",
  INVALID_VALUE: "operators",
  TOO_MANY: "operators",
  ROUNDING_TOO_COARSE: "operators",
  STALE_BATCH: "operators",
  ROLE_TAKEN: "operators",
  ORDERS_WAIT: "operators",
  PAST_NOT_OVER: "operators",
  PAST_OVERLAPS: "operators",
  MAINTENANCE: "told",
  API_TRADING_LOCKED: "told",
};

/** Rejections of cancels only: a new order refers to no existing order. */
const OF_CANCELS_ALONE: readonly string[] = ["UNKNOWN_ORDER", "CANCEL_IDS_DISAGREE", "CANCEL_RESTRICTED"];
/** The rejections of cancels; all others concern new orders. */
const OF_CANCELS: readonly string[] = ["MARKET_CLOSED", ...OF_CANCELS_ALONE];
/** Rejections of amendments, and the ones that only amendments have. */
const OF_AMENDMENTS_ALONE: readonly string[] = [
  "AMEND_NOT_SUPPORTED",
  "AMEND_INCREASES",
  "AMEND_CHANGES_NOTHING",
  "AMEND_PENDING_OPO",
  "MAX_NUM_ORDER_AMENDS",
];
const OF_AMENDMENTS: readonly string[] = [...OF_AMENDMENTS_ALONE, "MARKET_CLOSED", "UNKNOWN_ORDER", "DUPLICATE_ORDER"];
const NAMED_IN_TEXTS = { assets: NAMED, limit: NAMED, pauseMs: 86_400_000, min: NAMED, step: NAMED };

function refusalsOfOrders(): ApiError[] {
  const filters = [...protocol.SYMBOL_FILTERS, ...protocol.EXCHANGE_FILTERS].map(({ filterType }) => filterType);
  const others = Object.entries(WORDS).flatMap(([word, to]) => (to === "told" ? [word as RejectReason] : []));
  const told: readonly RejectReason[] = [...filters, ...others];
  return told.flatMap((word) => {
    const isPlaced = !OF_CANCELS_ALONE.includes(word) && !OF_AMENDMENTS_ALONE.includes(word);
    const contexts: RejectContext[] = isPlaced ? ["place"] : [];
    if (OF_CANCELS.includes(word)) contexts.push("cancel");
    if (OF_AMENDMENTS.includes(word)) contexts.push("amend");
    return contexts.flatMap((context) => withEachType(word, context));
  });
}

function withEachType(word: RejectReason, context: RejectContext): ApiError[] {
  if (word !== "ORDER_TYPE_NOT_SUPPORTED") return [protocol.rejectError(word, context)];
  return protocol.ORDER_TYPES.map((type) => protocol.rejectError(word, context, type));
}

const WALLET_WORDS: readonly RejectReason[] = [
  "UNKNOWN_ASSET",
  "WITHDRAWAL_SUSPENDED",
  "ACCOUNT_MAY_NOT_WITHDRAW",
  "WITHDRAWAL_ABOVE_MAXIMUM",
  "WITHDRAWAL_BELOW_MINIMUM",
  "WITHDRAWAL_NOT_A_MULTIPLE",
  "WITHDRAWAL_BELOW_FEE",
  "INSUFFICIENT_BALANCE",
  "ADDRESS_NOT_ALLOWED",
  "ADDRESS_IS_OWN",
  "TOTP_REUSED",
  "TOO_MANY",
];
const DUST_WORDS: readonly RejectReason[] = [
  "DUST_NOT_OFFERED",
  "INSUFFICIENT_BALANCE",
  "UNKNOWN_ASSET",
  "DUST_TOO_MUCH",
  "DUST_TOO_LITTLE",
  "DUST_TOO_SOON",
];

function refusalsOfTheWallet(): ApiError[] {
  return [
    ...WALLET_WORDS.map((word) => protocol.withdrawalError(word, NAMED_IN_TEXTS)),
    ...DUST_WORDS.map((word) => protocol.dustError(word, NAMED_IN_TEXTS)),
  ];
}

/** Messages by code, in the order in which they were found. */
function textsByCode(): ReadonlyMap<number, readonly string[]> {
  const constants = Object.values(protocol).filter(
    (value): value is ApiError => typeof value === "object" && isApiError(value),
  );
  const texts = new Map<number, string[]>();
  for (const { code: of, msg, status } of [
    ...constants,
    ...NAMING,
    ...OF_THE_EDGE,
    ...refusalsOfOrders(),
    ...refusalsOfTheWallet(),
  ]) {
    const shown = status === statusOf(of) ? code(msg) : `${code(msg)} (${status})`;
    const there = texts.get(of) ?? [];
    if (!there.includes(shown)) texts.set(of, [...there, shown]);
  }
  return texts;
}

function statusOf(of: number): number {
  return ERROR_KINDS.find((kind) => kind.code === of)?.status ?? 0;
}

/** `which` is "api" or "wallet". A message that is never sent is left out with its code. */
export function errorTable(which: string): string {
  const texts = textsByCode();
  const isAsked = (of: number): boolean => (which === "wallet") === of < FIRST_WALLET_CODE;
  const kinds = ERROR_KINDS.filter((kind) => isAsked(kind.code) && texts.has(kind.code));
  return table(
    ["code", "name", "HTTP", "texts"],
    kinds.map((kind) => [String(kind.code), kind.name, String(kind.status), (texts.get(kind.code) ?? []).join(" · ")]),
  );
}

/** The codes that have a name and are never sent, as numbers, so that a client need not handle them. */
export function unusedCodes(): string {
  const texts = textsByCode();
  const unused = ERROR_KINDS.filter((kind) => !texts.has(kind.code));
  return unused.map((kind) => `${kind.code} (${kind.name})`).join(", ");
}
