/** What the rows of acts have in common: whose they are, what came of them, and what they say without secrets. */
import { accountIdOf, type Event } from "@pricetime/engine";

/** Secrets, which only the journal keeps: sealed, or as their hashes. */
const SECRETS: ReadonlySet<string> = new Set([
  ...["sealedSecret", "sealedPassword", "was", "totpSecret", "secretHash", "newSecretHash"],
]);

export function jsonWithoutSecrets(details: object): string {
  return JSON.stringify(details, withoutSecret);
}

/** Drops secrets, and replaces imported candles by their number. */
function withoutSecret(key: string, value: unknown): unknown {
  if (key === "candles" && Array.isArray(value)) return value.length;
  return SECRETS.has(key) ? undefined : value;
}

export function outcomeOf(events: readonly Event[]): string {
  return events.find((event) => event.type === "rejected")?.reason ?? "done";
}

/**
 * The account of the holder that a command names, else of the one that its events do; null: there is none, or it is an
 * operator's. What was refused as malformed stands in the journal, too.
 */
export function accountOfHolder(named: unknown, events: readonly Event[]): number | null {
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
