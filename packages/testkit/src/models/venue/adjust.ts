/** Adjustments in the model: money between a customer and one of the venue's own accounts. */
import {
  type Adjust,
  DUST_ACCOUNT,
  FEE_ACCOUNT,
  type HouseAccount,
  type RejectReason,
  TREASURY_ACCOUNT,
} from "@pricetime/engine";
import { type Amount, amount as read, fits, show } from "../amount.ts";
import { type Happening, said } from "../happening.ts";
import type { ModelState } from "../state.ts";

const HOUSES: Readonly<Record<HouseAccount, number>> = {
  treasury: TREASURY_ACCOUNT,
  fees: FEE_ACCOUNT,
  dust: DUST_ACCOUNT,
};

export function adjust(exchange: ModelState, command: Adjust): Happening[] | RejectReason {
  const { accountId, asset, direction, house, category, reference, why, by } = command;
  if (!exchange.accounts.has(accountId)) return "UNKNOWN_ACCOUNT";
  const value = positive(exchange, asset, command.amount);
  if (typeof value === "string") return value;
  const contents = ["adjust", accountId, asset, direction, value, house, category, why];
  const repeat = exchange.references.repeat(exchange.edition, reference, contents);
  if (repeat !== null) return repeat;
  const [payer, payee] = direction === "credit" ? [HOUSES[house], accountId] : [accountId, HOUSES[house]];
  const mayOwe = payer === TREASURY_ACCOUNT;
  if (!mayOwe && exchange.money.of(payer, asset).free < value) return "INSUFFICIENT_BALANCE";
  exchange.references.add(exchange.edition, reference, contents);
  exchange.money.pay(payer, "free", payee, asset, value);
  const moved = direction === "credit" ? value : -value;
  return [adjusted({ accountId, asset, moved, house, category, reference, why, by })];
}

export interface ModelAdjustment {
  readonly accountId: number;
  readonly asset: string;
  /** Below zero when the account paid. */
  readonly moved: Amount;
  readonly house: string;
  readonly category: string;
  readonly reference: string;
  readonly why: string;
  readonly by: string;
}

export function adjusted(one: ModelAdjustment): Happening {
  const { accountId, asset, moved, house, category, reference, why, by } = one;
  return said(
    `${accountId} adjusted by ${show(moved)} ${asset} of ${house}, ${category} ${reference} by ${by}, ${why}`,
  );
}

/** An amount above zero of a listed asset, or why it is none. */
export function positive(exchange: ModelState, asset: string, text: string): Amount | RejectReason {
  const listed = exchange.assets.find((known) => known.asset === asset);
  if (listed === undefined) return "UNKNOWN_ASSET";
  if (!fits(exchange, text, listed.precision) || read(text) === 0n) return "INVALID_VALUE";
  return read(text);
}
