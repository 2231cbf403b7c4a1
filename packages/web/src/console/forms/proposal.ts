/** Acts that wait for others to approve them, and the rules that say which need it. */
import type { Json, ProposedAct } from "../wire/document.ts";

export interface Proposal {
  readonly requestId: string;
  readonly version: number;
  readonly action: ProposedAct;
  readonly why: string;
  /** All who wrote a word of it; the last is the author of this version. */
  readonly authors: readonly string[];
  readonly approvals: readonly string[];
  readonly createdMs: number;
  readonly changedMs: number;
  readonly untilMs: number;
  readonly approvalsNeeded: number;
  /** The right that whoever approves must have. */
  readonly needs: string;
}

export interface ApprovalRules {
  readonly approvals: number;
  readonly withdrawalsAbove: readonly { readonly asset: string; readonly amount: string }[];
  readonly actions: readonly string[];
}

export interface BreakGlass {
  readonly by: string;
  readonly why: string;
  readonly sinceMs: number;
  readonly fromMs: number;
}

/** As the node tells it. */
export interface Glass {
  /** Null: the rules stand. */
  readonly emergencyOverride: BreakGlass | null;
}

export const CHANGE = "PUT /v1/approval-requests/{request}";
export const APPROVE = "POST /v1/approval-requests/{request}/approve";
export const REJECT = "POST /v1/approval-requests/{request}/reject";

export const proposalPath = (proposalId: string): string => `/v1/approval-requests/${encodeURIComponent(proposalId)}`;

/** Whether the act ended the proposal: by the last approval, or by its rejection. */
export function isOver({ key }: { readonly key: string }, told: unknown): boolean {
  if (key !== APPROVE && key !== REJECT) return false;
  return typeof told === "object" && told !== null && Reflect.get(told, "status") !== "waiting";
}

/** `operator:carol` is carol. */
export const shownName = (holder: string): string => holder.replace(/^operator:/, "");

/** Fields of a command that are shown otherwise: who and which it is, and what its objects are. */
const SHOWN_APART: readonly string[] = ["type", "by", "withdrawalId"];

/** What the author of an act says of it. */
export function saidIn(act: ProposedAct): Json {
  return Object.fromEntries(Object.entries(act).filter(([name]) => !SHOWN_APART.includes(name)));
}

/** The proposal that an act became, by its id; undefined: it was carried out. */
export function proposedIn(told: unknown): string | undefined {
  if (typeof told !== "object" || told === null) return undefined;
  const proposal: unknown = Reflect.get(told, "request");
  const found: unknown =
    typeof proposal === "object" && proposal !== null ? Reflect.get(proposal, "requestId") : proposal;
  return typeof found === "string" ? found : undefined;
}
