/** Listen keys: clients open, extend and close them; they expire with time. */
import type { CloseListenKey, KeepListenKey, OpenListenKey } from "../entry/command.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ListenKey } from "../state/accounts/listen-keys.ts";
import type { ExchangeState } from "../state/exchange-state.ts";

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

/** Ends the user streams that have expired. */
export function expireListenKeys(state: ExchangeState): void {
  for (let key = state.listenKeys.first(); key !== undefined; key = state.listenKeys.first()) {
    if (key.expiresMs > state.nowMs) return;
    closeKey(state, key, true);
  }
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
