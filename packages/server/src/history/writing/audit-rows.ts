/** Writes records for audits: postings, operator actions, listings, and customers' access commands. */
import {
  accountIdOf,
  type Command,
  type EngineView,
  type Entry,
  type Event,
  type Posting,
  POSTING_REASONS,
  type ProposedAct,
} from "@pricetime/engine";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { BUCKETS, BulkInsert, moneyToJson, NamedInsert } from "../table/columns.ts";

/** Fields with encrypted or hashed secrets, which are stored only in the journal. */
const SECRETS: ReadonlySet<string> = new Set([
  ...["sealedSecret", "sealedPassword", "was", "totpSecret", "secretHash", "newSecretHash"],
]);

function jsonWithoutSecrets(details: object): string {
  return JSON.stringify(details, withoutSecret);
}

/** Omits secrets, and replaces imported candles by their count. */
function withoutSecret(key: string, value: unknown): unknown {
  if (key === "candles" && Array.isArray(value)) return value.length;
  return SECRETS.has(key) ? undefined : value;
}

function outcomeOf(events: readonly Event[]): string {
  return events.find((event) => event.type === "rejected")?.reason ?? "done";
}

/**
 * The account of the holder that a command, or otherwise its events, names. Null if there is none, or if the holder is
 * an operator. A rejected command may contain malformed fields.
 */
function accountOfHolder(named: unknown, events: readonly Event[]): number | null {
  if (typeof named === "string") return accountIdOf(named) ?? null;
  for (const event of events) {
    const holder = holderOf(event);
    if (holder !== null) return accountIdOf(holder) ?? null;
  }
  return null;
}

function holderOf(event: Event): string | null {
  switch (event.type) {
    case "sessionClosed":
    case "recoveryChanged":
    case "passwordSet":
    case "invitationChanged":
      return event.holder;
    default:
      return null;
  }
}

export class AuditRows {
  readonly #postings: BulkInsert;
  readonly #insertAct: NamedInsert;
  readonly #insertAsset: NamedInsert;
  readonly #insertSymbol: NamedInsert;

  constructor(database: DatabaseSync) {
    this.#postings = new BulkInsert(database, "entry_postings");
    this.#insertAct = new NamedInsert(database, "operator_acts");
    this.#insertAsset = new NamedInsert(database, "assets");
    this.#insertSymbol = new NamedInsert(database, "symbols");
  }

  addPostings(entry: Entry, postings: readonly Posting[]): void {
    let json = "[";
    for (const posting of postings) json += json === "[" ? asJson(posting) : `,${asJson(posting)}`;
    this.#postings.add(entry.seq, entry.timeMs, `${json}]`);
  }

  /** Writes pending rows. Call it at the end of a transaction. */
  flush(): void {
    this.#postings.flush();
  }

  addAct(entry: Entry, command: OperatorAct, events: readonly Event[]): void {
    const { seq, timeMs } = entry;
    const { type, by } = command;
    const details = detailsOf(command, actOf(command, events), events);
    const [accountId, outcome] = [accountOf(command, events), outcomeOf(events)];
    this.#insertAct.run({ seq, timeMs, type, by, accountId, outcome, details });
  }

  addAsset(engine: EngineView, assetId: number): void {
    const { spec } = engine.asset(assetId);
    this.#insertAsset.run({ assetId, asset: spec.asset, decimals: spec.precision });
  }

  addSymbol(engine: EngineView, symbolId: number): void {
    const { spec, scale, baseAssetId, quoteAssetId } = engine.market(symbolId);
    this.#insertSymbol.run({ symbolId, symbol: spec.symbol, ...scale, baseAssetId, quoteAssetId });
  }
}

function asJson({ assetId, amount, fromAccountId, fromBucket, toAccountId, toBucket, reason }: Posting): string {
  const from = `${fromAccountId},${BUCKETS.indexOf(fromBucket)}`;
  const to = `${toAccountId},${BUCKETS.indexOf(toBucket)}`;
  return `[${assetId},${moneyToJson(amount)},${from},${to},${POSTING_REASONS.indexOf(reason)}]`;
}

/** A command that names its author. The node's own steps of deposits and withdrawals name none. */
type OperatorAct = Command & { readonly by: string };

export function isOperatorAct(command: Command): command is OperatorAct {
  // Not the `in` operator, which is slow for missing fields: most commands have no author.
  return (command as { readonly by?: string }).by !== undefined;
}

/** The action for which the command requests approval, or which it ran as the final approval; otherwise undefined. */
function actOf(command: OperatorAct, events: readonly Event[]): ProposedAct | undefined {
  if (command.type === "propose" || command.type === "changeProposal") return command.act;
  if (command.type !== "approveProposal") return undefined;
  for (const event of events) {
    if (event.type === "proposalChanged" && event.status === "done") return event.proposal.act;
  }
  return undefined;
}

function accountOf(command: OperatorAct, events: readonly Event[]): number | null {
  if ("accountId" in command) return command.accountId;
  // A rejected action may contain malformed fields.
  const act = (actOf(command, events) ?? {}) as { readonly accountId?: unknown; readonly holder?: unknown };
  if (typeof act.accountId === "number" && Number.isSafeInteger(act.accountId)) return act.accountId;
  if (command.type === "endOrder" || actOf(command, events)?.type === "endOrder") return ownerOfEnded(events);
  // Release 0.1.0 wrote these rows without an account, and history must be reproducible from the journal.
  if (command.type === "approveWithdrawal" || command.type === "rejectWithdrawal") return null;
  for (const event of events) {
    if (event.type === "accountOpened") return event.accountId;
    if (event.type === "withdrawalChanged") return event.withdrawal.accountId;
    if (event.type === "depositChanged") return event.deposit.accountId;
  }
  return accountOfHolder("holder" in command ? command.holder : act.holder, events);
}

/** The owner of the order that an operator canceled; null if no order was canceled. */
function ownerOfEnded(events: readonly Event[]): number | null {
  return events.find((event) => event.type === "orderEnded")?.order.accountId ?? null;
}

/** The approval requests that were canceled because their author lost a right. */
function cancelledBy(events: readonly Event[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === "proposalChanged" && event.status === "cancelled" ? [event.proposal.proposalId] : [],
  );
}

/** The command's fields that are not in other columns of the row, and the action that an approval ran. */
function detailsOf(
  { type: _type, by: _by, ...details }: OperatorAct,
  act: ProposedAct | undefined,
  events: readonly Event[],
): string {
  const cancelledProposals = cancelledBy(events);
  const endedOrders = events.filter((event) => event.type === "orderEnded").length;
  return jsonWithoutSecrets({
    ...details,
    ...(act !== undefined && { act }),
    ...(cancelledProposals.length > 0 && { cancelledProposals }),
    ...(endedOrders > 0 && { endedOrders }),
  });
}

type AccessAct = Command<"openSession"> | Command<"acceptInvitation"> | Command<"askRecovery"> | Command<"recover">;

const TYPES: ReadonlySet<string> = new Set<AccessAct["type"]>([
  ...(["openSession", "acceptInvitation", "askRecovery", "recover"] as const),
]);

export const isAccessAct = (command: Command): command is AccessAct => TYPES.has(command.type);

export class AccessRows {
  readonly #insert: StatementSync;

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare("INSERT INTO access_acts VALUES (?, ?, ?, ?, ?, ?)");
  }

  /**
   * Writes an access command of a customer. Nothing is written for operators, or for a rejected link, whose user is
   * unknown.
   */
  add({ seq, timeMs }: Entry, command: AccessAct, events: readonly Event[]): void {
    const accountId = accountOfHolder("holder" in command ? command.holder : undefined, events);
    if (accountId === null) return;
    const { type, ...details } = command;
    // A sign-in from a new device causes a notification.
    const isNew = events.some((event) => event.type === "noticeChanged" && event.kind === "newSignIn");
    const told = type === "openSession" ? { ...details, isNew } : details;
    this.#insert.run(seq, timeMs, type, accountId, outcomeOf(events), jsonWithoutSecrets(told));
  }
}
