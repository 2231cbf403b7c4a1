/** Approval requests, and the current values that a requested action would change. */
import type { ApprovalRequest as Answered } from "@pricetime/server/answers";
import { consoleApprovals as words } from "../../words/words.ts";
import { type Clock, showAge } from "../../pages/format.ts";
import type { Json, RequestedAction } from "../openapi.ts";
import { partOf } from "./schema.ts";

export interface ApprovalRequest extends Omit<Answered, "action"> {
  readonly action: RequestedAction;
}

export const CREATE = "POST /v1/approval-requests";
export const CHANGE = "PUT /v1/approval-requests/{request}";
export const APPROVE = "POST /v1/approval-requests/{request}/approve";
export const REJECT = "POST /v1/approval-requests/{request}/reject";

export const approvalRequestPath = (requestId: string): string =>
  `/v1/approval-requests/${encodeURIComponent(requestId)}`;

/** Whether an action completed the approval request, by the last approval or by a rejection. */
export function isOver({ key }: { readonly key: string }, answer: unknown): boolean {
  if (key !== APPROVE && key !== REJECT) return false;
  return typeof answer === "object" && answer !== null && Reflect.get(answer, "status") !== "waiting";
}

/** Operators' names without their prefix: `operator:carol+operator:dave` becomes carol, dave. */
export const shownName = (holder: string): string => holder.replace(/^operator:/, "").replaceAll("+operator:", ", ");

/** Who requested approval, how long ago, and who approved since. */
export const requestedText = (
  clock: Pick<Clock, "nowMs">,
  { authors, approvals, createdMs }: ApprovalRequest,
): string =>
  words.requestedAgo(authors.map(shownName).join(", "), showAge(clock, createdMs), approvals.map(shownName).join(", "));

/** The withdrawal that the request would approve; undefined for other requests. */
export function withdrawalIn({ type, withdrawalId }: RequestedAction): string | undefined {
  return type === "approveWithdrawal" && typeof withdrawalId === "string" ? withdrawalId : undefined;
}

/** Approval requests by the ID of the withdrawal that they would approve; the oldest of several. */
export function requestsByWithdrawal(
  requests: readonly ApprovalRequest[] | null,
): ReadonlyMap<string, ApprovalRequest> {
  const found = new Map<string, ApprovalRequest>();
  for (const request of (requests ?? []).toReversed()) {
    const withdrawal = withdrawalIn(request.action);
    if (withdrawal !== undefined) found.set(withdrawal, request);
  }
  return found;
}

/** Fields of a command that are shown elsewhere: its type, author and objects. */
const SHOWN_APART: readonly string[] = ["type", "by", "withdrawalId"];

/** The values of an action that its author entered. */
export function valuesIn(action: RequestedAction): Json {
  return Object.fromEntries(Object.entries(action).filter(([name]) => !SHOWN_APART.includes(name)));
}

/** The ID of the approval request that an action created; undefined if the action was carried out. */
export function requestIdIn(answer: unknown): string | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const approvalRequest: unknown = Reflect.get(answer, "request");
  const found: unknown =
    typeof approvalRequest === "object" && approvalRequest !== null
      ? Reflect.get(approvalRequest, "requestId")
      : approvalRequest;
  return typeof found === "string" ? found : undefined;
}

// The current values that a requested action would change, from the admin API, so that the changes can be shown.

interface Source {
  readonly path: (action: RequestedAction) => string;
  /** The part of the response that the action would change; undefined if there is none. */
  readonly now: (answer: Json, action: RequestedAction) => Json | undefined;
  /** The value after the action. */
  readonly become: (action: RequestedAction) => Json | undefined;
}

const text = (action: RequestedAction, name: string): string => String(action[name] ?? "");
const inPath = (action: RequestedAction, name: string): string => encodeURIComponent(text(action, name));

const part = (path: Source["path"], name: string): Source => ({
  path,
  now: (answer) => partOf(answer, name),
  become: (action) => action[name],
});

/** The source for an action that changes named fields. Fields that the action omits stay unchanged. */
function fieldsOf(
  path: Source["path"],
  names: readonly string[],
  pick: (answer: Json, action: RequestedAction) => Json,
): Source {
  const named = (value: Json, action: RequestedAction): Json =>
    Object.fromEntries(
      names.filter((name) => action[name] !== undefined).map((name) => [name, partOf(value, name) ?? null]),
    );
  return {
    path,
    now: (answer, action) => named(pick(answer, action), action),
    become: (action) => named(action, action),
  };
}

const RATES = ["makerBps", "takerBps"];
const RIGHTS = [
  "canTrade",
  "canWithdraw",
  "canDeposit",
  "isEnabled",
  "isTradeGroup",
  "confirmsByMail",
  "paysInDiscountAsset",
];

function operatorIn(answer: Json, action: RequestedAction): Json {
  if (!Array.isArray(answer)) return {};
  return (answer as readonly Json[]).find((one) => partOf(one, "name") === action["name"]) ?? {};
}

const whole = (path: string, name: string): Source => ({
  path: () => path,
  now: (answer) => answer,
  become: (action) => action[name],
});

/** The response with a field renamed to its name in journal commands. */
function withStoredName(answer: Json, name: string, stored: string): Json {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return answer;
  return Object.fromEntries(Object.entries(answer).map(([field, value]) => [field === name ? stored : field, value]));
}

const networksIn = (answer: Json): readonly Json[] => {
  const networks = partOf(answer, "networks");
  return Array.isArray(networks) ? networks : [];
};

/** A network without `confirmsByEmail`, which the response also contains under its name in journal commands. */
function withoutNewName(network: Json): Json {
  if (typeof network !== "object" || network === null || Array.isArray(network)) return network;
  return Object.fromEntries(Object.entries(network).filter(([name]) => name !== "confirmsByEmail"));
}

const SOURCES: Readonly<Record<string, Source>> = {
  changeAccount: fieldsOf(
    (action) => `/v1/accounts/${inPath(action, "accountId")}`,
    [...RATES, ...RIGHTS],
    (answer) => withStoredName(answer, "confirmsByEmail", "confirmsByMail"),
  ),
  changeOperator: fieldsOf(() => "/v1/operators", ["email", "role", "isEnabled"], operatorIn),
  setSymbolStatus: fieldsOf(
    (action) => `/v1/symbols/${inPath(action, "symbol")}`,
    ["status"],
    (answer) => answer,
  ),
  setSymbolFilters: part((action) => `/v1/symbols/${inPath(action, "symbol")}`, "filters"),
  setSelfTradePrevention: {
    path: (action) => `/v1/symbols/${inPath(action, "symbol")}`,
    now: (answer) => partOf(answer, "selfTradePrevention") ?? {},
    become: ({ defaultMode, allowedModes }) => ({ defaultMode, allowedModes }) as Json,
  },
  setPriceRange: {
    path: (action) => `/v1/symbols/${inPath(action, "symbol")}`,
    now: (answer) => partOf(answer, "priceRange") ?? {},
    become: (action) => action["priceRange"] ?? {},
  },
  setAssetNetworks: {
    path: (action) => `/v1/assets/${inPath(action, "asset")}`,
    now: (answer) => networksIn(answer).map(withoutNewName),
    become: (action) => action["networks"],
  },
  setWithdrawalLimits: {
    path: (action) => `/v1/assets/${inPath(action, "asset")}`,
    now: (answer) => partOf(answer, "withdrawalLimits") ?? {},
    become: (action) => action["limits"],
  },
  setMaintenance: fieldsOf(
    () => "/v1/maintenance",
    ["isOn"],
    (answer) => answer,
  ),
  setExchangeFilters: whole("/v1/exchange-filters", "filters"),
  setApprovalRules: {
    ...whole("/v1/approval-rules", "rules"),
    now: (answer) => withStoredName(answer, "actions", "acts"),
  },
  setDustRules: whole("/v1/dust-rules", "rules"),
  setCommissionDiscount: part(() => "/v1/commission-discount", "discount"),
};

/** The API path of the current values; null if the action does not change values that could be shown. */
export function pathOfNow(action: RequestedAction): string | null {
  return SOURCES[action.type]?.path(action) ?? null;
}

export function nowIn(action: RequestedAction, answer: Json): Json | undefined {
  return SOURCES[action.type]?.now(answer, action);
}

/** The value after the action. */
export function thenOf(action: RequestedAction): Json | undefined {
  return SOURCES[action.type]?.become(action);
}

const NAMES = ["symbol", "asset", "accountId", "name", "withdrawalId", "network"];

/** The name of the object that the action concerns; "" for the whole venue. */
export function concerns(action: RequestedAction): string {
  const found = NAMES.map((name) => action[name]).find(
    (value) => typeof value === "string" || typeof value === "number",
  );
  return found === undefined ? "" : String(found);
}
