/** The objects that an action concerns, from its path and body, and the API paths that describe them. */
import type { Deposit, OpenWithdrawal, UnattributedDeposit } from "@pricetime/server/answers";
import { type Json, type Operation, pathWith } from "../openapi.ts";
import { pathNames } from "./draft.ts";
import { partOf } from "./schema.ts";
import { showAmount } from "../../exact/shown.ts";
import { consoleDeposits, consoleUnattributed, consoleWithdrawals as words } from "../../words/words.ts";
import type { OpenForm } from "../context.ts";

export interface Subject {
  /** The kind of object, as in the API: `account`, `withdrawal`, `network`. */
  readonly kind: string;
  /** The object's name or number, as typed or provided by the page. */
  readonly value: string;
  /** The API path that returns the object; null if there is none, so that only its name is known. */
  readonly path: string | null;
}

type Operations = ReadonlyMap<string, Operation>;

/** Body fields that contain the number of an object, with the kind of object. */
const NAMED_IN_BODIES: Readonly<Record<string, string>> = { account: "account", master: "account" };

/** The objects named in the path, then those in the body. Fields that are still empty are omitted. */
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

/** The objects named in the command of an approval request. */
export function subjectsOfCommand(command: Readonly<Record<string, Json>>, operations: Operations): Subject[] {
  const named = { account: command["accountId"], withdrawal: command["withdrawalId"] };
  return Object.entries(named).flatMap(([kind, part]) => {
    const value = textOf(part);
    return value === "" ? [] : [{ kind, value, path: describedAt(kind, value, operations) }];
  });
}

/** Finds the path that returns an object, such as `GET /v1/accounts/{account}`; null if there is none. */
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

// What a withdrawal is waiting for.

type Waiting = Pick<OpenWithdrawal, "status" | "asset" | "network" | "isSuspended" | "approvalReasons">;

/** What a withdrawal is waiting for, and why: the limits that it exceeded when it was requested, with the sums. */
export function waitsForText({ status, asset, network, isSuspended, approvalReasons }: Waiting): string {
  const amount = (text: string): string => `${showAmount(text)} ${asset}`;
  const reasons = approvalReasons.map(({ rule, hours, limit, sum }) =>
    words.exceeded[rule](amount(sum), amount(limit), hours, network),
  );
  const isReasoned = status === "awaitingApproval" && reasons.length > 0;
  const text = isReasoned ? reasons.join(". ") : (words.waits[status] ?? words.statuses[status] ?? status);
  return isSuspended ? `${text}${words.suspended}` : text;
}

// The deposits of the Deposits page as objects of forms.

/** The deposit as part of a form that is opened for it. */
export const formOf = (row: UnattributedDeposit): Pick<OpenForm, "fixed" | "start" | "known"> => ({
  fixed: { network: row.network, txId: row.txId, output: row.output },
  start: { asset: row.asset, amount: row.amount },
  known: {
    [consoleUnattributed.amount]: `${showAmount(row.amount)} ${row.asset}`,
    [consoleUnattributed.network]: row.network,
    [consoleUnattributed.address]: row.tag === "" ? row.address : `${row.address} · ${row.tag}`,
    [consoleUnattributed.reason]: consoleUnattributed.reasons[row.reason] ?? row.reason,
    [consoleUnattributed.txId]: row.txId,
  },
});

/** The form for a pending deposit, whose contents must be repeated as they were recorded. */
export const formOfPending = ({
  network,
  asset,
  amount,
  address,
  tag,
  txId,
  output,
  accountId,
}: Deposit): OpenForm => ({
  key: "POST /v1/networks/{network}/deposits",
  given: { network },
  fixed: { asset, amount, address, tag, txId, output },
  known: {
    [consoleDeposits.amount]: `${showAmount(amount)} ${asset}`,
    [consoleDeposits.network]: network,
    [consoleDeposits.account]: String(accountId),
    [consoleDeposits.txId]: txId,
  },
});
