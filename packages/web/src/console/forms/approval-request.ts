/** Approval requests, approval rules, and the current values that a requested action would change. */
import type { Json, ProposedAct } from "../openapi.ts";
import { partOf } from "./schema.ts";

export interface Proposal {
  readonly requestId: string;
  readonly version: number;
  readonly action: ProposedAct;
  readonly why: string;
  /** All operators who edited the request; the last is the author of this version. */
  readonly authors: readonly string[];
  readonly approvals: readonly string[];
  readonly createdMs: number;
  readonly changedMs: number;
  readonly untilMs: number;
  readonly approvalsNeeded: number;
  /** The right that an approver must have. */
  readonly needs: string;
}

export interface ApprovalRules {
  readonly approvals: number;
  readonly withdrawalsAbove: readonly { readonly asset: string; readonly amount: string }[];
  readonly actions: readonly string[];
}

export interface EmergencyOverride {
  readonly by: string;
  readonly why: string;
  readonly sinceMs: number;
  readonly fromMs: number;
}

/** As the node returns it. */
export interface OverrideAnswer {
  /** Null if the approval rules are in force. */
  readonly emergencyOverride: EmergencyOverride | null;
}

export const CHANGE = "PUT /v1/approval-requests/{request}";
export const APPROVE = "POST /v1/approval-requests/{request}/approve";
export const REJECT = "POST /v1/approval-requests/{request}/reject";

export const proposalPath = (proposalId: string): string => `/v1/approval-requests/${encodeURIComponent(proposalId)}`;

/** Whether the action completed the approval request: by the last approval, or by a rejection. */
export function isOver({ key }: { readonly key: string }, told: unknown): boolean {
  if (key !== APPROVE && key !== REJECT) return false;
  return typeof told === "object" && told !== null && Reflect.get(told, "status") !== "waiting";
}

/** Strips the prefix: `operator:carol` becomes carol. */
export const shownName = (holder: string): string => holder.replace(/^operator:/, "");

/** Fields of a command that are shown elsewhere: its type, author and objects. */
const SHOWN_APART: readonly string[] = ["type", "by", "withdrawalId"];

/** The values that the author set in an action. */
export function saidIn(act: ProposedAct): Json {
  return Object.fromEntries(Object.entries(act).filter(([name]) => !SHOWN_APART.includes(name)));
}

/** The ID of the approval request that an action created; undefined if the action was carried out. */
export function proposedIn(told: unknown): string | undefined {
  if (typeof told !== "object" || told === null) return undefined;
  const proposal: unknown = Reflect.get(told, "request");
  const found: unknown =
    typeof proposal === "object" && proposal !== null ? Reflect.get(proposal, "requestId") : proposal;
  return typeof found === "string" ? found : undefined;
}

// The admin API returns the current values that a requested action would change, so that it can be shown as a difference.

interface Source {
  readonly path: (act: ProposedAct) => string;
  /** The part of the response that the action concerns; undefined if it changes no current value. */
  readonly now: (answer: Json, act: ProposedAct) => Json | undefined;
  /** The value after the action. */
  readonly become: (act: ProposedAct) => Json | undefined;
}

const text = (act: ProposedAct, name: string): string => String(act[name] ?? "");
const inPath = (act: ProposedAct, name: string): string => encodeURIComponent(text(act, name));

const part = (path: Source["path"], name: string): Source => ({
  path,
  now: (answer) => partOf(answer, name),
  become: (act) => act[name],
});

/** Fields that the action omits stay unchanged. */
function fieldsOf(
  path: Source["path"],
  names: readonly string[],
  pick: (answer: Json, act: ProposedAct) => Json,
): Source {
  const named = (value: Json, act: ProposedAct): Json =>
    Object.fromEntries(
      names.filter((name) => act[name] !== undefined).map((name) => [name, partOf(value, name) ?? null]),
    );
  return { path, now: (answer, act) => named(pick(answer, act), act), become: (act) => named(act, act) };
}

const RATES = ["makerBps", "takerBps"];
const RIGHTS = ["canTrade", "canWithdraw", "canDeposit", "isEnabled", "confirmsByMail"];

function operatorIn(answer: Json, act: ProposedAct): Json {
  if (!Array.isArray(answer)) return {};
  return (answer as readonly Json[]).find((one) => partOf(one, "name") === act["name"]) ?? {};
}

const whole = (path: string, name: string): Source => ({
  path: () => path,
  now: (answer) => answer,
  become: (act) => act[name],
});

/** The response with a field renamed to its name in commands, which the journal stores. */
function withStoredName(answer: Json, name: string, stored: string): Json {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return answer;
  return Object.fromEntries(Object.entries(answer).map(([field, value]) => [field === name ? stored : field, value]));
}

const networksIn = (answer: Json): readonly Json[] => {
  const networks = partOf(answer, "networks");
  return Array.isArray(networks) ? networks : [];
};

/** The response has `confirmsByEmail` under its name in commands as well. */
function withoutNewName(network: Json): Json {
  if (typeof network !== "object" || network === null || Array.isArray(network)) return network;
  return Object.fromEntries(Object.entries(network).filter(([name]) => name !== "confirmsByEmail"));
}

const SOURCES: Readonly<Record<string, Source>> = {
  changeAccount: fieldsOf(
    (act) => `/v1/accounts/${inPath(act, "accountId")}`,
    [...RATES, ...RIGHTS],
    (answer) => withStoredName(answer, "confirmsByEmail", "confirmsByMail"),
  ),
  changeOperator: fieldsOf(() => "/v1/operators", ["email", "role", "isEnabled"], operatorIn),
  setSymbolStatus: part((act) => `/v1/symbols/${inPath(act, "symbol")}`, "status"),
  setSymbolFilters: part((act) => `/v1/symbols/${inPath(act, "symbol")}`, "filters"),
  setAssetNetworks: {
    path: (act) => `/v1/assets/${inPath(act, "asset")}`,
    now: (answer) => networksIn(answer).map(withoutNewName),
    become: (act) => act["networks"],
  },
  setWithdrawalLimits: {
    path: (act) => `/v1/assets/${inPath(act, "asset")}`,
    now: (answer) => partOf(answer, "withdrawalLimits") ?? {},
    become: (act) => act["limits"],
  },
  setMaintenance: part(() => "/v1/maintenance", "isOn"),
  setExchangeFilters: whole("/v1/exchange-filters", "filters"),
  setApprovalRules: {
    ...whole("/v1/approval-rules", "rules"),
    now: (answer) => withStoredName(answer, "actions", "acts"),
  },
  setDustRules: whole("/v1/dust-rules", "rules"),
};

/** Null if the action changes no current value that could be shown. */
export function pathOfNow(act: ProposedAct): string | null {
  return SOURCES[act.type]?.path(act) ?? null;
}

export function nowIn(act: ProposedAct, answer: Json): Json | undefined {
  return SOURCES[act.type]?.now(answer, act);
}

/** The value after the action. */
export function thenOf(act: ProposedAct): Json | undefined {
  return SOURCES[act.type]?.become(act);
}

const NAMES = ["symbol", "asset", "accountId", "name", "withdrawalId", "network"];

/** The name of the object that the action concerns; "" for the whole venue. */
export function concerns(act: ProposedAct): string {
  const found = NAMES.map((name) => act[name]).find((value) => typeof value === "string" || typeof value === "number");
  return found === undefined ? "" : String(found);
}
