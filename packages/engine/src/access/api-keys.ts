/** Keys: API keys, the listen keys of user streams, and the master key that encrypts the secrets in the journal. */
import { type ApiKey, PERMISSIONS } from "../entry/access.ts";
import type { Command, CloseListenKey, KeepListenKey, OpenListenKey } from "../entry/command.ts";
import { INTERFACE_RULES } from "../entry/edition.ts";
import type { RejectReason } from "../entry/reject.ts";
import { MAX_API_KEYS_PER_ACCOUNT, MAX_TEXT_LENGTH } from "../limits.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { notifyOwner } from "./holders.ts";
import type { ListenKey } from "../state/access.ts";

export function createApiKey(state: ExchangeState, command: Command<"createApiKey">): RejectReason | null {
  const { type: _, by, totpStep: _step, totpSecret: _secret, ...fields } = command;
  if (state.accounts.get(command.accountId) === undefined) return "UNKNOWN_ACCOUNT";
  if (!/^[A-Za-z0-9]{64}$/.test(command.apiKey) || command.label.length > MAX_TEXT_LENGTH) return "INVALID_VALUE";
  if (!hasValidSignature(state, command)) return "INVALID_VALUE";
  if (command.permissions.some((permission) => !PERMISSIONS.includes(permission))) return "INVALID_VALUE";
  if (state.apiKeys.get(command.apiKey) !== undefined) return "ALREADY_EXISTS";
  if (state.apiKeys.of(command.accountId).length >= MAX_API_KEYS_PER_ACCOUNT) return "TOO_MANY";
  const key: ApiKey = { ...fields, createdMs: state.nowMs };
  state.apiKeys.add(key);
  state.emit({ type: "apiKeyCreated", key });
  const { accountId, label } = command;
  notifyOwner(state, "apiKeyCreated", { accountId, by, facts: { label, permissions: command.permissions.join(", ") } });
  return null;
}

export function deleteApiKey(state: ExchangeState, command: Command<"deleteApiKey">): RejectReason | null {
  const key = state.apiKeys.get(command.apiKey);
  if (key === undefined) return "UNKNOWN_API_KEY";
  state.apiKeys.delete(key);
  state.emit({ type: "apiKeyDeleted", apiKey: command.apiKey });
  return null;
}

/** SubjectPublicKeyInfo of Ed25519: twelve fixed bytes, followed by the key. RFC 8410. */
const ED25519_PUBLIC_KEY = /^MCowBQYDK2VwAyEA[A-Za-z0-9+/]{43}=$/;

/** The same of RSA with 2048 or 4096 bits and the exponent 65537: 33 fixed bytes, modulus, exponent. RFC 8017. */
const RSA_PUBLIC_KEYS = [
  /^MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA[A-Za-z0-9+/]{342}IDAQAB$/,
  /^MIICIjANBgkqhkiG9w0BAQEFAAOCAg8AMIICCgKCAgEA[A-Za-z0-9+/]{683}CAwEAAQ==$/,
];

/** A key signs with the client's own Ed25519 or RSA key, or it has a secret. */
function hasValidSignature({ edition }: ExchangeState, { publicKey, sealedSecret }: Command<"createApiKey">): boolean {
  if (publicKey === undefined) return true;
  const isRsa = edition >= 5 && RSA_PUBLIC_KEYS.some((pattern) => pattern.test(publicKey));
  return (isRsa || ED25519_PUBLIC_KEY.test(publicKey)) && sealedSecret === "";
}

// Listen keys: clients open, extend and close them; they expire with time.

export function openListenKey(state: ExchangeState, command: OpenListenKey): RejectReason | null {
  if (!INTERFACE_RULES[state.interface].hasListenKeys) return "LISTEN_KEYS_RETIRED";
  if (state.accounts.get(command.accountId) === undefined) return "UNKNOWN_ACCOUNT";
  let key = state.listenKeys.of(command.accountId);
  if (key !== undefined && key.expiresMs > state.nowMs) {
    state.listenKeys.extend(key, state.nowMs);
  } else {
    const holder = state.listenKeys.get(command.listenKey);
    if (holder !== undefined && holder !== key) return "ALREADY_EXISTS";
    if (key !== undefined) closeKey(state, key, true);
    key = state.listenKeys.open(command.accountId, command.listenKey, state.nowMs);
  }
  state.emit({ type: "listenKeyOpened", ...key });
  return null;
}

export function keepListenKey(state: ExchangeState, command: KeepListenKey): RejectReason | null {
  const key = liveKey(state, command);
  if (key === undefined) return "UNKNOWN_LISTEN_KEY";
  state.listenKeys.extend(key, state.nowMs);
  state.emit({ type: "listenKeyOpened", ...key });
  return null;
}

export function closeListenKey(state: ExchangeState, command: CloseListenKey): RejectReason | null {
  const key = liveKey(state, command);
  if (key === undefined) return "UNKNOWN_LISTEN_KEY";
  closeKey(state, key, false);
  return null;
}

/** Ends the user streams that have expired. */
export function expireListenKeys(state: ExchangeState): void {
  for (let key = state.listenKeys.first(); key !== undefined; key = state.listenKeys.first()) {
    if (key.expiresMs > state.nowMs) return;
    closeKey(state, key, true);
  }
}

/** Ends all user streams, because the interface no longer has listen keys. */
export function closeAllListenKeys(state: ExchangeState): void {
  for (let key = state.listenKeys.first(); key !== undefined; key = state.listenKeys.first())
    closeKey(state, key, true);
}

/** Ends the user stream of an account, if there is one. */
export function closeListenKeyOf(state: ExchangeState, accountId: number): void {
  const key = state.listenKeys.of(accountId);
  if (key !== undefined) closeKey(state, key, true);
}

function liveKey(state: ExchangeState, command: KeepListenKey | CloseListenKey): ListenKey | undefined {
  const key = state.listenKeys.get(command.listenKey);
  return key !== undefined && key.accountId === command.accountId && key.expiresMs > state.nowMs ? key : undefined;
}

function closeKey(state: ExchangeState, key: ListenKey, expired: boolean): void {
  state.listenKeys.close(key);
  state.emit({ type: "listenKeyClosed", accountId: key.accountId, listenKey: key.listenKey, expired });
}

/**
 * A journal has one master key: encryption with a second one would make the earlier secrets unusable, or hide that they
 * are.
 */
export function bindMasterKey(state: ExchangeState, { keyCheck }: Command<"bindMasterKey">): RejectReason | null {
  if (state.masterKeyCheck !== "") return "ALREADY_EXISTS";
  state.masterKeyCheck = keyCheck;
  state.emit({ type: "masterKeyBound", keyCheck });
  return null;
}
