/** Keys: API keys, the listen keys of user streams, and the master key that seals the secrets in the journal. */
import { type ApiKey, PERMISSIONS } from "../entry/api-key.ts";
import type { CreateApiKey, DeleteApiKey } from "../entry/command.ts";
import type { RejectReason } from "../entry/reject.ts";
import { MAX_API_KEYS_PER_ACCOUNT, MAX_TEXT_LENGTH } from "../limits.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { tellOwner } from "./tell-owner.ts";

export function createApiKey(state: ExchangeState, command: CreateApiKey): RejectReason | null {
  const { type: _, by, totpStep: _step, totpSecret: _secret, ...fields } = command;
  if (state.accounts.get(command.accountId) === undefined) return "UNKNOWN_ACCOUNT";
  if (!/^[A-Za-z0-9]{64}$/.test(command.apiKey) || command.label.length > MAX_TEXT_LENGTH) return "INVALID_VALUE";
  if (!isEd25519OrAbsent(command)) return "INVALID_VALUE";
  if (command.permissions.some((permission) => !PERMISSIONS.includes(permission))) return "INVALID_VALUE";
  if (state.apiKeys.get(command.apiKey) !== undefined) return "ALREADY_EXISTS";
  if (state.apiKeys.of(command.accountId).length >= MAX_API_KEYS_PER_ACCOUNT) return "TOO_MANY";
  const key: ApiKey = { ...fields, createdMs: state.nowMs };
  state.apiKeys.add(key);
  state.emit({ type: "apiKeyCreated", key });
  const { accountId, label } = command;
  tellOwner(state, "apiKeyCreated", { accountId, by, facts: { label, permissions: command.permissions.join(", ") } });
  return null;
}

export function deleteApiKey(state: ExchangeState, command: DeleteApiKey): RejectReason | null {
  const key = state.apiKeys.get(command.apiKey);
  if (key === undefined) return "UNKNOWN_API_KEY";
  state.apiKeys.delete(key);
  state.emit({ type: "apiKeyDeleted", apiKey: command.apiKey });
  return null;
}

/** SubjectPublicKeyInfo of Ed25519: twelve bytes that are always the same, then the key. RFC 8410. */
const ED25519_PUBLIC_KEY = /^MCowBQYDK2VwAyEA[A-Za-z0-9+/]{43}=$/;

function isEd25519OrAbsent({ publicKey, sealedSecret }: CreateApiKey): boolean {
  return publicKey === undefined || (ED25519_PUBLIC_KEY.test(publicKey) && sealedSecret === "");
}
