/**
 * Commands: everything that can change the exchange. A command and the time of its entry are all that the engine ever
 * learns about the world. Hot commands refer to accounts, symbols and assets by number.
 */
import type {
  AdoptRules,
  CancelOpenOrders,
  CancelOrder,
  CancelOrderList,
  CancelReplace,
  CloseListenKey,
  KeepListenKey,
  OpenListenKey,
  PlaceOco,
  PlaceOrder,
  Tick,
} from "./packed-command.ts";
import type { OperatorCommand } from "./operator-command.ts";
import type { ProposalCommand } from "./proposal-command.ts";
import type { WalletCommand } from "./wallet-command.ts";
import type { GrantRole, NodeBatch } from "./node-command.ts";
import type { AccessCommand } from "./access-command.ts";
import type { VenueCommand } from "./venue-command.ts";

export {
  type AdoptRules,
  CANCEL_REPLACE_MODES,
  type CancelOpenOrders,
  type CancelOrder,
  type CancelOrderList,
  type CancelReplace,
  type CancelReplaceMode,
  type CloseListenKey,
  type KeepListenKey,
  type ListLeg,
  type OpenListenKey,
  type PlaceOco,
  type PlaceOrder,
  type Tick,
} from "./packed-command.ts";
export type { GrantRole, NodeBatch } from "./node-command.ts";
export type * from "./wallet-command.ts";
export type * from "./past-command.ts";
export type * from "./access-command.ts";
export type * from "./venue-command.ts";
export type * from "./operator-command.ts";
export type * from "./proposal-command.ts";
export * from "./proposal-record.ts";

/**
 * A journaled command: `seq` counts from 1 without gaps; `timeMs` is the sequencer's clock and
 * never goes back.
 */
export interface Entry {
  readonly seq: number;
  readonly timeMs: number;
  readonly command: Command;
}

/** A change of the exchange itself, which any node may send, alone or as the holder of a role. */
export type ExchangeCommand =
  | Tick
  | AdoptRules
  | PlaceOrder
  | CancelOrder
  | CancelOpenOrders
  | PlaceOco
  | CancelOrderList
  | CancelReplace
  | OpenListenKey
  | KeepListenKey
  | CloseListenKey
  | WalletCommand
  | OperatorCommand
  | AccessCommand
  | VenueCommand
  | ProposalCommand;

/**
 * An act of a role's holder. Carried out only while `number` is that of the role's last grant, else refused
 * (ROLE_TAKEN); the outcome is that of the command within.
 */
export interface AsHolder {
  readonly type: "asHolder";
  readonly role: string;
  readonly number: number;
  readonly command: ExchangeCommand;
}

export type Command = ExchangeCommand | NodeBatch | GrantRole | AsHolder;

/** Whether a holder may carry the command: none of those that order the nodes themselves. */
export function isExchangeCommand(command: Pick<Command, "type">): command is ExchangeCommand {
  return command.type !== "nodeBatch" && command.type !== "grantRole" && command.type !== "asHolder";
}

/** The command that is carried out: the one within, when a holder of a role sends it. */
export function innerCommand(command: Command): Exclude<Command, AsHolder> {
  return command.type === "asHolder" ? command.command : command;
}

export type CommandType = Command["type"];
