/**
 * A separate model of listen keys and API keys: lifetime of an hour, one per account, and the keys that operators
 * created.
 */
import type { Command, Event } from "@pricetime/engine";
import type { Happening, ModelExchange } from "@pricetime/testkit/models";

const LIFE_MS = 3_600_000;

export class Keys {
  readonly listenKeys = new Map<number, { readonly listenKey: string; expiresMs: number }>();
  readonly apiKeys = new Map<string, number>();
  /** Listen keys that ended with their account's API key. */
  readonly everEnded = new Set<string>();

  /** The expected outcome as a sentence; undefined if the command does not concern keys. */
  apply(nowMs: number, command: Command, exchange: Pick<ModelExchange, "accounts" | "interface">): string | undefined {
    const isAccount = (accountId: number): boolean => exchange.accounts.has(accountId);
    switch (command.type) {
      case "openListenKey":
        if (exchange.interface === "today") return "LISTEN_KEYS_RETIRED";
        return isAccount(command.accountId)
          ? this.#open(nowMs, command.accountId, command.listenKey)
          : "UNKNOWN_ACCOUNT";
      case "keepListenKey":
      case "closeListenKey": {
        const key = this.listenKeys.get(command.accountId);
        if (key?.listenKey !== command.listenKey || key.expiresMs <= nowMs) return "UNKNOWN_LISTEN_KEY";
        if (command.type === "keepListenKey") return this.#open(nowMs, command.accountId, command.listenKey);
        this.listenKeys.delete(command.accountId);
        return `closed ${command.listenKey}`;
      }
      case "createApiKey": {
        const { apiKey, accountId } = command;
        if (!isAccount(accountId)) return "UNKNOWN_ACCOUNT";
        if (apiKey.length !== 64) return "INVALID_VALUE";
        if (this.apiKeys.has(apiKey)) return "ALREADY_EXISTS";
        this.apiKeys.set(apiKey, accountId);
        return `created ${apiKey}`;
      }
      case "deleteApiKey":
        return this.apiKeys.delete(command.apiKey) ? `deleted ${command.apiKey}` : "UNKNOWN_API_KEY";
      default:
        return undefined;
    }
  }

  /** The keys and sessions that must end with the account that the command locks, as a line; "" if it locks none. */
  frozen(command: Command, happened: readonly Happening[], { accounts }: ModelExchange): string {
    if (command.type !== "freezeAccount" || happened[0]?.kind === "refused") return "";
    const { accountId } = command;
    const family = [...accounts.values()].filter((each) => each.accountId === accountId || each.masterId === accountId);
    const ended = family.flatMap((each) => this.#end(each.accountId)).sort();
    return `\nended ${ended.join()}`;
  }

  #end(accountId: number): string[] {
    const apiKeys = [...this.apiKeys].filter(([, owner]) => owner === accountId).map(([apiKey]) => apiKey);
    for (const apiKey of apiKeys) {
      this.apiKeys.delete(apiKey);
      this.everEnded.add(apiKey);
    }
    const listenKey = this.listenKeys.get(accountId)?.listenKey;
    this.listenKeys.delete(accountId);
    return [...apiKeys, ...(listenKey === undefined ? [] : [listenKey])];
  }

  #open(nowMs: number, accountId: number, listenKey: string): string {
    const held = this.listenKeys.get(accountId);
    const extended = held !== undefined && held.expiresMs > nowMs ? held.listenKey : listenKey;
    if (
      extended !== held?.listenKey &&
      [...this.listenKeys].some(([id, key]) => key.listenKey === extended && id !== accountId)
    ) {
      return "ALREADY_EXISTS";
    }
    this.listenKeys.set(accountId, { listenKey: extended, expiresMs: nowMs + LIFE_MS });
    return `opened ${extended} to ${nowMs + LIFE_MS}`;
  }

  /** A tick: removes expired keys. */
  expire(nowMs: number): string[] {
    const over = [...this.listenKeys].filter(([, { expiresMs }]) => expiresMs <= nowMs);
    for (const [accountId] of over) this.listenKeys.delete(accountId);
    return over.map(([, { listenKey }]) => `expired ${listenKey}`).sort();
  }
}

/** As `Keys.frozen`, from the actual events. */
export function frozenSentence(events: readonly Event[]): string {
  if (!events.some(({ type }) => type === "accountFrozen")) return "";
  const ended = events.flatMap((event) =>
    event.type === "apiKeyDeleted" ? [event.apiKey] : event.type === "listenKeyClosed" ? [event.listenKey] : [],
  );
  return `\nended ${ended.sort().join()}`;
}
