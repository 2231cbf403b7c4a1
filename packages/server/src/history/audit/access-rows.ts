/** Writes how customers came in: sign-ins, invitations accepted, passwords lost and found. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { AcceptInvitation, AskRecovery, Command, Entry, Event, OpenSession, Recover } from "@pricetime/engine";
import { accountOfHolder, jsonWithoutSecrets, outcomeOf } from "./act-parts.ts";

type AccessAct = OpenSession | AcceptInvitation | AskRecovery | Recover;

const TYPES: ReadonlySet<string> = new Set<AccessAct["type"]>([
  ...(["openSession", "acceptInvitation", "askRecovery", "recover"] as const),
]);

export const isAccessAct = (command: Command): command is AccessAct => TYPES.has(command.type);

export class AccessRows {
  readonly #insert: StatementSync;

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare("INSERT INTO access_acts VALUES (?, ?, ?, ?, ?, ?)");
  }

  /** Nothing is written of operators, nor of a link that was refused: it may be anybody's. */
  add({ seq, timeMs }: Entry, command: AccessAct, events: readonly Event[]): void {
    const accountId = accountOfHolder("holder" in command ? command.holder : undefined, events);
    if (accountId === null) return;
    const { type, ...details } = command;
    // A letter is owed for a sign-in from where nobody was signed in.
    const isNew = events.some((event) => event.type === "noticeChanged" && event.kind === "newSignIn");
    const told = type === "openSession" ? { ...details, isNew } : details;
    this.#insert.run(seq, timeMs, type, accountId, outcomeOf(events), jsonWithoutSecrets(told));
  }
}
