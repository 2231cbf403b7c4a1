/** Commands about accounts, API keys and listen keys. */
import type {
  BindMasterKey,
  ChangeAccount,
  CloseListenKey,
  CreateApiKey,
  DeleteApiKey,
  KeepListenKey,
  OpenAccount,
  OpenListenKey,
  SetSymbolFee,
} from "../entry/command.ts";
import { MAX_ACCOUNTS, MAX_API_KEYS_PER_ACCOUNT, MAX_FEE_BPS, MAX_SUB_ACCOUNTS, MAX_TEXT_LENGTH } from "../limits.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { type ApiKey, PERMISSIONS } from "../entry/api-key.ts";
import type { ListenKey } from "../state/accounts/listen-keys.ts";

export function openAccount(state: ExchangeState, command: OpenAccount): RejectReason | null {
  const { email, name, makerBps, takerBps } = command;
  if (!isText(email) || email === "" || !isText(name)) return "INVALID_VALUE";
  if (!isRate(makerBps) || !isRate(takerBps)) return "INVALID_VALUE";
  if (state.accounts.getByEmail(email) !== undefined) return "ALREADY_EXISTS";
  if (state.accounts.size >= MAX_ACCOUNTS) return "TOO_MANY";
  const masterId = command.masterId ?? null;
  const reason = masterId === null ? null : checkMaster(state, masterId);
  if (reason !== null) return reason;
  const { accountId } = state.accounts.open(email, name, { makerBps, takerBps }, masterId, state.nowMs);
  state.emit({ type: "accountOpened", accountId });
  return null;
}

/** A sub-account has none of its own. */
function checkMaster(state: ExchangeState, masterId: number): RejectReason | null {
  const master = state.accounts.get(masterId);
  if (master === undefined) return "UNKNOWN_ACCOUNT";
  if (master.masterId !== null) return "MASTER_ONLY";
  return state.accounts.subsOf(masterId).length >= MAX_SUB_ACCOUNTS ? "TOO_MANY" : null;
}

export function changeAccount(state: ExchangeState, command: ChangeAccount): RejectReason | null {
  const account = state.accounts.get(command.accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  const { makerBps, takerBps } = { ...account, ...command };
  if (!isRate(makerBps) || !isRate(takerBps)) return "INVALID_VALUE";
  if (command.isEnabled === false && account.masterId === null) return "INVALID_VALUE";
  account.makerBps = makerBps;
  account.takerBps = takerBps;
  account.isEnabled = command.isEnabled ?? account.isEnabled;
  account.confirmsByMail = command.confirmsByMail ?? account.confirmsByMail;
  account.canTrade = command.canTrade ?? account.canTrade;
  account.canWithdraw = command.canWithdraw ?? account.canWithdraw;
  account.canDeposit = command.canDeposit ?? account.canDeposit;
  state.emit({ type: "accountChanged", accountId: account.accountId });
  return null;
}

export function setSymbolFee(state: ExchangeState, command: SetSymbolFee): RejectReason | null {
  const { makerBps, takerBps } = command;
  const account = state.accounts.get(command.accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  const market = state.marketsBySymbol.get(command.symbol);
  if (market === undefined) return "UNKNOWN_SYMBOL";
  if (makerBps === null && takerBps === null) account.symbolRates.delete(market.symbolId);
  else if (isRate(makerBps) && isRate(takerBps)) account.symbolRates.set(market.symbolId, { makerBps, takerBps });
  else return "INVALID_VALUE";
  state.emit({ type: "accountChanged", accountId: account.accountId });
  return null;
}

export function createApiKey(state: ExchangeState, command: CreateApiKey): RejectReason | null {
  const { type: _, by: __, ...fields } = command;
  if (state.accounts.get(command.accountId) === undefined) return "UNKNOWN_ACCOUNT";
  if (!/^[A-Za-z0-9]{64}$/.test(command.apiKey) || !isText(command.label)) return "INVALID_VALUE";
  if (!isEd25519OrAbsent(command)) return "INVALID_VALUE";
  if (command.permissions.some((permission) => !PERMISSIONS.includes(permission))) return "INVALID_VALUE";
  if (state.apiKeys.get(command.apiKey) !== undefined) return "ALREADY_EXISTS";
  if (state.apiKeys.of(command.accountId).length >= MAX_API_KEYS_PER_ACCOUNT) return "TOO_MANY";
  const key: ApiKey = { ...fields, createdMs: state.nowMs };
  state.apiKeys.add(key);
  state.emit({ type: "apiKeyCreated", key });
  return null;
}

export function deleteApiKey(state: ExchangeState, command: DeleteApiKey): RejectReason | null {
  const key = state.apiKeys.get(command.apiKey);
  if (key === undefined) return "UNKNOWN_API_KEY";
  state.apiKeys.delete(key);
  state.emit({ type: "apiKeyDeleted", apiKey: command.apiKey });
  return null;
}

/** One key to a journal: to seal with another would make what is sealed already of no use, or hide that it is. */
export function bindMasterKey(state: ExchangeState, { keyCheck }: BindMasterKey): RejectReason | null {
  if (state.masterKeyCheck !== "") return "ALREADY_EXISTS";
  state.masterKeyCheck = keyCheck;
  state.emit({ type: "masterKeyBound", keyCheck });
  return null;
}

export function openListenKey(state: ExchangeState, command: OpenListenKey): RejectReason | null {
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

/** Ends the user streams whose time is over. */
export function expireListenKeys(state: ExchangeState): void {
  for (let key = state.listenKeys.first(); key !== undefined; key = state.listenKeys.first()) {
    if (key.expiresMs > state.nowMs) return;
    closeKey(state, key, true);
  }
}

function liveKey(state: ExchangeState, command: KeepListenKey | CloseListenKey): ListenKey | undefined {
  const key = state.listenKeys.get(command.listenKey);
  return key !== undefined && key.accountId === command.accountId && key.expiresMs > state.nowMs ? key : undefined;
}

function closeKey(state: ExchangeState, key: ListenKey, expired: boolean): void {
  state.listenKeys.close(key);
  state.emit({ type: "listenKeyClosed", accountId: key.accountId, listenKey: key.listenKey, expired });
}

/** SubjectPublicKeyInfo of Ed25519: twelve bytes that are always the same, then the key. RFC 8410. */
const ED25519_PUBLIC_KEY = /^MCowBQYDK2VwAyEA[A-Za-z0-9+/]{43}=$/;

function isEd25519OrAbsent({ publicKey, sealedSecret }: CreateApiKey): boolean {
  return publicKey === undefined || (ED25519_PUBLIC_KEY.test(publicKey) && sealedSecret === "");
}

function isRate(bps: number | null): bps is number {
  return Number.isInteger(bps) && (bps as number) >= 0 && (bps as number) <= MAX_FEE_BPS;
}

function isText(text: string): boolean {
  return typeof text === "string" && text.length <= MAX_TEXT_LENGTH;
}
