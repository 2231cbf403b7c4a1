/** The objects that an action concerns, from its path and body, and the paths that describe them. */
import { type Json, type Operation, pathWith } from "../openapi.ts";
import { pathNames } from "./draft.ts";
import { partOf } from "./schema.ts";
import { grouped } from "../../exact/shown.ts";
import { consoleWithdrawals as words } from "../../words/words.ts";

export interface Subject {
  /** What it is, as the API names it: `account`, `withdrawal`, `network`. */
  readonly kind: string;
  /** Its name or number, as typed or as the page knows it. */
  readonly value: string;
  /** Where the node describes it; null: its name is all there is. */
  readonly path: string | null;
}

type Operations = ReadonlyMap<string, Operation>;

/** Fields of bodies that name an object by a number, with what it is. */
const NAMED_IN_BODIES: Readonly<Record<string, string>> = { account: "account", master: "account" };

/** In the order of the path, then of the body. What is not named yet is left out. */
export function subjectsOf(
  operation: Operation,
  path: Readonly<Record<string, string>>,
  body: Json | undefined,
  operations: Operations,
): Subject[] {
  const inPath = pathNames(operation).map((name) => [name, path[name] ?? ""] as const);
  const inBody = Object.entries(NAMED_IN_BODIES).map(([field, kind]) => [kind, textOf(partOf(body, field))] as const);
  return [...inPath, ...inBody]
    .filter(([, value]) => value.trim() !== "")
    .map(([kind, value]) => ({ kind, value, path: describedAt(kind, value, operations) }));
}

/** The objects that a proposed command names. */
export function subjectsOfCommand(command: Readonly<Record<string, Json>>, operations: Operations): Subject[] {
  const named = { account: command["accountId"], withdrawal: command["withdrawalId"] };
  return Object.entries(named).flatMap(([kind, part]) => {
    const value = textOf(part);
    return value === "" ? [] : [{ kind, value, path: describedAt(kind, value, operations) }];
  });
}

/** Found by the operation that answers with one object of that kind: `GET /v1/accounts/{account}`. */
function describedAt(kind: string, value: string, operations: Operations): string | null {
  const isOfOne = (path: string): boolean => path.split("/").length === 4 && path.endsWith(`/{${kind}}`);
  for (const operation of operations.values()) {
    if (operation.method === "GET" && !operation.isFile && isOfOne(operation.path)) {
      return pathWith(operation, { [kind]: value });
    }
  }
  return null;
}

const textOf = (value: Json | undefined): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

// A withdrawal as the admin API returns it, and the approval that it waits for.

export interface Payment {
  readonly accountId: number;
  readonly asset: string;
  readonly amount: string;
  readonly fee: string;
  readonly arrives: string;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  readonly name: string;
  readonly applyTimeMs: number;
  readonly status: string;
  readonly isSuspended: boolean;
  readonly approvalReasons: readonly ApprovalReason[];
}

/** A limit that the withdrawal exceeded at its request, with the sum then; `hours` 0: by its own amount. */
export interface ApprovalReason {
  readonly rule: "network" | "account" | "allCustomers" | "dualApproval";
  readonly hours: number;
  readonly limit: string;
  readonly sum: string;
}

/** What a withdrawal waits for, and why: each limit that it exceeded at its request, with the sum. */
export function waitsForText({ status, asset, network, isSuspended, approvalReasons }: Payment): string {
  const amount = (text: string): string => `${grouped(text)} ${asset}`;
  const reasons = approvalReasons.map(({ rule, hours, limit, sum }) =>
    words.exceeded[rule](amount(sum), amount(limit), hours, network),
  );
  const isReasoned = status === "awaitingApproval" && reasons.length > 0;
  const text = isReasoned ? reasons.join(". ") : (words.waits[status] ?? words.statuses[status] ?? status);
  return isSuspended ? `${text}${words.suspended}` : text;
}
