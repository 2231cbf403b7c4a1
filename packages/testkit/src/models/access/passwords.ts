/** Passwords in the model, and the links that replace a forgotten one. */
import type { AskRecovery, CancelRecovery, Recover, RejectReason, SetPassword } from "@pricetime/engine";
import { type Happening, said } from "../happening.ts";
import { type ModelAccess, sharesEmail, holderOf } from "../state.ts";
import { owe } from "./letters.ts";
import { closeOthers } from "./sessions.ts";

const DAY_MS = 24 * 3_600_000;
const HELD_MS = DAY_MS;
const LONGEST_LIFE_MS = 14 * DAY_MS;

/** `isHeld`: for a day nothing may be withdrawn. One that is held stays so. */
export function putPassword(access: ModelAccess, holder: string, sealedPassword: string, isHeld: boolean): Happening[] {
  const before = access.passwordOf(holder);
  const heldUntilMs = isHeld ? access.exchange.nowMs + HELD_MS : (before?.heldUntilMs ?? 0);
  const others = access.passwords.filter((known) => known !== before);
  access.passwords = [...others, { holder, sealedPassword, heldUntilMs }];
  return [said(`password of ${holder} set`)];
}

export function setPassword(access: ModelAccess, command: SetPassword): Happening[] | RejectReason {
  const { holder, was, sealedPassword, except } = command;
  const known = holderOf(access.exchange, holder);
  if (known === undefined) return "UNKNOWN_ACCOUNT";
  if (!known.isEnabled) return "NOT_PERMITTED";
  if (access.passwordOf(holder)?.sealedPassword !== was) return "PASSWORD_DIFFERS";
  return [
    ...putPassword(access, holder, sealedPassword, false),
    ...closeOthers(access, holder, except),
    ...endRecovery(access, holder, "cancelled"),
    ...owe(access, "passwordChanged", known.email, { holder }),
  ];
}

export function askRecovery(access: ModelAccess, command: AskRecovery): Happening[] | RejectReason {
  const { nowMs } = access.exchange;
  const { holder, recoveryId, secretHash, fromMs, untilMs } = command;
  const known = holderOf(access.exchange, holder);
  if (known === undefined || access.passwordOf(holder) === undefined) return "UNKNOWN_ACCOUNT";
  if (!known.isEnabled) return "NOT_PERMITTED";
  if (sharesEmail(access.exchange, holder)) return "EMAIL_SHARED";
  if (untilMs <= fromMs || untilMs <= nowMs || untilMs > nowMs + LONGEST_LIFE_MS) return "INVALID_VALUE";
  if (access.recoveries.some((open) => open.holder === holder && open.untilMs > nowMs)) return "ALREADY_EXISTS";
  const others = access.recoveries.filter((open) => open.holder !== holder);
  access.recoveries = [...others, { holder, recoveryId, secretHash, askedMs: nowMs, fromMs, untilMs }];
  const facts = { holder, recoveryId, fromMs: `${fromMs}`, untilMs: `${untilMs}` };
  return [told(recoveryId, holder, "asked"), ...owe(access, "recovery", known.email, facts)];
}

export function cancelRecovery(access: ModelAccess, { recoveryId }: CancelRecovery): Happening[] | RejectReason {
  const open = access.recoveries.find((known) => known.recoveryId === recoveryId);
  return open === undefined ? "UNKNOWN_RECOVERY" : endRecovery(access, open.holder, "cancelled");
}

export function recover(access: ModelAccess, command: Recover): Happening[] | RejectReason {
  const { nowMs } = access.exchange;
  const open = access.recoveries.find(({ recoveryId }) => recoveryId === command.recoveryId);
  if (open === undefined || nowMs >= open.untilMs) return "UNKNOWN_RECOVERY";
  if (open.secretHash !== command.secretHash) return "WRONG_CONFIRMATION";
  if (nowMs < open.fromMs) return "TOO_SOON";
  const { holder } = open;
  const known = holderOf(access.exchange, holder);
  if (known === undefined || !known.isEnabled) return "NOT_PERMITTED";
  if (sharesEmail(access.exchange, holder)) return "EMAIL_SHARED";
  return [
    ...putPassword(access, holder, command.sealedPassword, true),
    ...endRecovery(access, holder, "done"),
    ...closeOthers(access, holder, null),
    ...owe(access, "recovered", known.email, { holder }),
  ];
}

export function endRecovery(access: ModelAccess, holder: string, status: string): Happening[] {
  const open = access.recoveries.filter((known) => known.holder === holder);
  access.recoveries = access.recoveries.filter((known) => known.holder !== holder);
  return open.map(({ recoveryId }) => told(recoveryId, holder, status));
}

function told(recoveryId: string, holder: string, status: string): Happening {
  return said(`recovery ${recoveryId} of ${holder}: ${status}`);
}
