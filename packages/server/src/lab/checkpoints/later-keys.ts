/** Keys of today that a checkpoint does not have, as commands that give them again. */
import type { ApiKey, Command } from "@pricetime/engine";
import type { KeysThere } from "../storage/lab-storage.ts";

interface Restored {
  hasAccount(accountId: number): boolean;
  hasApiKey(apiKey: string): boolean;
  /** Whether the account has a stream open: it has no second one. */
  hasStream(accountId: number): boolean;
}

/** Keys of accounts that the checkpoint does not have are left out: there is nobody whose they would be. */
export function laterKeys(there: KeysThere, restored: Restored, by: string): Command[] {
  const apiKeys = there.apiKeys
    .filter(({ accountId, apiKey }) => restored.hasAccount(accountId) && !restored.hasApiKey(apiKey))
    .map((key): Command => ({ type: "createApiKey", by, ...withoutTime(key) }));
  const listenKeys = there.listenKeys
    .filter(({ accountId }) => restored.hasAccount(accountId) && !restored.hasStream(accountId))
    .map(({ accountId, listenKey }): Command => ({ type: "openListenKey", accountId, listenKey }));
  return [...apiKeys, ...listenKeys];
}

/** A key that is given again is a new one: it has the time of its command. */
function withoutTime(key: ApiKey): Omit<ApiKey, "createdMs"> {
  const { accountId, apiKey, sealedSecret, publicKey, permissions, ipAllowList, label } = key;
  const signing = publicKey === undefined ? { sealedSecret } : { sealedSecret, publicKey };
  return { accountId, apiKey, ...signing, permissions, ipAllowList, label };
}
