/** Where the node tells how things stand that a proposed act would change, so that it is read as a difference. */
import type { Json, ProposedAct } from "../wire/document.ts";
import { partOf } from "./schema-shape.ts";

interface Source {
  readonly path: (act: ProposedAct) => string;
  /** What of the answer the act is about; undefined: it changes nothing that stands there. */
  readonly now: (answer: Json, act: ProposedAct) => Json | undefined;
  /** What the act would make of it. */
  readonly become: (act: ProposedAct) => Json | undefined;
}

const text = (act: ProposedAct, name: string): string => String(act[name] ?? "");
const inPath = (act: ProposedAct, name: string): string => encodeURIComponent(text(act, name));

const part = (path: Source["path"], name: string): Source => ({
  path,
  now: (answer) => partOf(answer, name),
  become: (act) => act[name],
});

/** Fields that the act leaves out stay as they are. */
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

/** The answer with a field under the name that commands use, which the journal stores. */
function withStoredName(answer: Json, name: string, stored: string): Json {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return answer;
  return Object.fromEntries(Object.entries(answer).map(([field, value]) => [field === name ? stored : field, value]));
}

const networksIn = (answer: Json): readonly Json[] => {
  const networks = partOf(answer, "networks");
  return Array.isArray(networks) ? networks : [];
};

/** The answer has `confirmsByEmail` under the name that commands use, too. */
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

/** Null: all there is to see of the act is what it says. */
export function pathOfNow(act: ProposedAct): string | null {
  return SOURCES[act.type]?.path(act) ?? null;
}

export function nowIn(act: ProposedAct, answer: Json): Json | undefined {
  return SOURCES[act.type]?.now(answer, act);
}

/** What the act would make of it. */
export function thenOf(act: ProposedAct): Json | undefined {
  return SOURCES[act.type]?.become(act);
}

const NAMES = ["symbol", "asset", "accountId", "name", "withdrawalId", "network"];

/** What it is about, by its name; "": the venue as a whole. */
export function concerns(act: ProposedAct): string {
  const found = NAMES.map((name) => act[name]).find((value) => typeof value === "string" || typeof value === "number");
  return found === undefined ? "" : String(found);
}
