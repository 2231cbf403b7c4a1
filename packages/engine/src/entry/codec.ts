/**
 * Commands as bytes, for the journal. A command is its type, the version of its layout, then its
 * fields. The frequent ones are packed; the rare ones are JSON, so that an operator can read them.
 * A released layout stays readable for ever: change one by adding a version.
 */
import { ByteReader, ByteWriter, MalformedBytes } from "../bytes.ts";
import {
  CANCEL_REPLACE_MODES,
  type CancelOrder,
  type CancelOrderList,
  type Command,
  type CommandType,
  type ListLeg,
  type PlaceOco,
  type PlaceOrder,
} from "./command.ts";
import { isKnownEdition } from "./edition.ts";
import { ORDER_TYPES, SIDES, TIMES_IN_FORCE } from "./order-words.ts";

/** The place in the list is the type's number in the journal: append only. */
const COMMAND_TYPES: readonly CommandType[] = [
  "tick",
  "placeOrder",
  "cancelOrder",
  "cancelOpenOrders",
  "openListenKey",
  "keepListenKey",
  "closeListenKey",
  "listAsset",
  "listSymbol",
  "setSymbolStatus",
  "setSymbolFilters",
  "setExchangeFilters",
  "openAccount",
  "changeAccount",
  "setSymbolFee",
  "createApiKey",
  "deleteApiKey",
  "deposit",
  "debit",
  "placeOco",
  "cancelOrderList",
  "cancelReplace",
  "assignDepositAddress",
  "seeDeposit",
  "creditDeposit",
  "finishDeposit",
  "dropDeposit",
  "requestWithdrawal",
  "confirmWithdrawal",
  "cancelWithdrawal",
  "signWithdrawal",
  "completeWithdrawal",
  "failWithdrawal",
  "payNetworkCost",
  "advanceNetwork",
  "transfer",
  "convertDust",
  "lockApiTrading",
  "approveWithdrawal",
  "rejectWithdrawal",
  "setAssetNetworks",
  "setAddressList",
  "allowAddress",
  "disallowAddress",
  "setTotp",
  "setAccountStatus",
  "unlockApiTrading",
  "setMaintenance",
  "setDustRules",
  "distributeDividend",
  "adoptRules",
  "failSignedWithdrawal",
  "bindMasterKey",
  "addPast",
  "importKlines",
];
const TYPE_NUMBERS: ReadonlyMap<CommandType, number> = new Map(COMMAND_TYPES.map((type, number) => [type, number]));
const VERSION = 1;

export function encodeCommands(commands: readonly Command[]): Uint8Array {
  const writer = new ByteWriter();
  for (const command of commands) writeCommand(writer, command);
  return writer.bytes();
}

/** Throws `MalformedBytes` unless the bytes hold exactly `count` commands. */
export function decodeCommands(bytes: Uint8Array, count: number): Command[] {
  const reader = new ByteReader(bytes);
  const commands: Command[] = [];
  for (let i = 0; i < count; i++) commands.push(readCommand(reader));
  if (!reader.atEnd) throw new MalformedBytes("bytes left over after the last command");
  return commands;
}

function writeCommand(writer: ByteWriter, command: Command): void {
  writer.u8(TYPE_NUMBERS.get(command.type) as number);
  writer.u8(VERSION);
  switch (command.type) {
    case "tick":
      return;
    case "adoptRules":
      return writer.uint(command.edition);
    case "placeOrder":
      return writePlaceOrder(writer, command);
    case "cancelOrder":
      return writeCancelOrder(writer, command);
    case "cancelOpenOrders":
      writer.uint(command.accountId);
      writer.uint(command.symbolId);
      return writer.text(command.newClientOrderId);
    case "placeOco":
      return writePlaceOco(writer, command);
    case "cancelOrderList":
      return writeCancelOrderList(writer, command);
    case "cancelReplace":
      writer.u8(CANCEL_REPLACE_MODES.indexOf(command.mode));
      writeCancelOrder(writer, command.cancel);
      return writePlaceOrder(writer, command.place);
    case "openListenKey":
    case "keepListenKey":
    case "closeListenKey":
      writer.uint(command.accountId);
      return writer.text(command.listenKey);
    default:
      return writer.text(JSON.stringify(command));
  }
}

function readCommand(reader: ByteReader): Command {
  const type = word(COMMAND_TYPES, reader.u8());
  const version = reader.u8();
  if (version !== VERSION) throw new MalformedBytes(`${type} has layout ${version}, which this release does not know`);
  switch (type) {
    case "tick":
      return { type };
    case "adoptRules":
      return { type, edition: readEdition(reader) };
    case "placeOrder":
      return readPlaceOrder(reader);
    case "cancelOrder":
      return readCancelOrder(reader);
    case "cancelOpenOrders":
      return { type, accountId: reader.uint(), symbolId: reader.uint(), newClientOrderId: reader.text() };
    case "placeOco":
      return readPlaceOco(reader);
    case "cancelOrderList":
      return readCancelOrderList(reader);
    case "cancelReplace":
      return {
        type,
        mode: word(CANCEL_REPLACE_MODES, reader.u8()),
        cancel: readCancelOrder(reader),
        place: readPlaceOrder(reader),
      };
    case "openListenKey":
    case "keepListenKey":
    case "closeListenKey":
      return { type, accountId: reader.uint(), listenKey: reader.text() };
    default:
      return readJson(reader, type);
  }
}

/** What a newer release adopted was not refused there: to go on without it would lead elsewhere. */
function readEdition(reader: ByteReader): number {
  const edition = reader.uint();
  if (isKnownEdition(edition)) return edition;
  throw new MalformedBytes(`the journal follows edition ${edition} of the rules, which this release does not know`);
}

function writePlaceOrder(writer: ByteWriter, command: PlaceOrder): void {
  writer.uint(command.accountId);
  writer.uint(command.symbolId);
  writer.u8(SIDES.indexOf(command.side));
  writer.u8(ORDER_TYPES.indexOf(command.orderType));
  writer.u8(TIMES_IN_FORCE.indexOf(command.timeInForce));
  // One more than the value, for OFF_SCALE is below zero.
  writer.uint(command.priceTicks + 1);
  writer.uint(command.quantityLots + 1);
  writer.uint(command.stopTicks + 1);
  writer.uint(command.icebergLots + 1);
  writer.big(command.quoteOrderQty);
  writer.text(command.clientOrderId);
}

function readPlaceOrder(reader: ByteReader): PlaceOrder {
  return {
    type: "placeOrder",
    accountId: reader.uint(),
    symbolId: reader.uint(),
    side: word(SIDES, reader.u8()),
    orderType: word(ORDER_TYPES, reader.u8()),
    timeInForce: word(TIMES_IN_FORCE, reader.u8()),
    priceTicks: reader.uint() - 1,
    quantityLots: reader.uint() - 1,
    stopTicks: reader.uint() - 1,
    icebergLots: reader.uint() - 1,
    quoteOrderQty: reader.big(),
    clientOrderId: reader.text(),
  };
}

function writeCancelOrder(writer: ByteWriter, command: CancelOrder): void {
  writer.uint(command.accountId);
  writer.uint(command.symbolId);
  writer.uint(command.orderId);
  writer.text(command.origClientOrderId);
  writer.text(command.newClientOrderId);
}

function readCancelOrder(reader: ByteReader): CancelOrder {
  return {
    type: "cancelOrder",
    accountId: reader.uint(),
    symbolId: reader.uint(),
    orderId: reader.uint(),
    origClientOrderId: reader.text(),
    newClientOrderId: reader.text(),
  };
}

function writePlaceOco(writer: ByteWriter, command: PlaceOco): void {
  writer.uint(command.accountId);
  writer.uint(command.symbolId);
  writer.u8(SIDES.indexOf(command.side));
  writer.uint(command.quantityLots + 1);
  writeLeg(writer, command.stopLeg);
  writeLeg(writer, command.limitLeg);
  writer.text(command.listClientOrderId);
}

function readPlaceOco(reader: ByteReader): PlaceOco {
  return {
    type: "placeOco",
    accountId: reader.uint(),
    symbolId: reader.uint(),
    side: word(SIDES, reader.u8()),
    quantityLots: reader.uint() - 1,
    stopLeg: readLeg(reader),
    limitLeg: readLeg(reader),
    listClientOrderId: reader.text(),
  };
}

function writeLeg(writer: ByteWriter, leg: ListLeg): void {
  writer.u8(ORDER_TYPES.indexOf(leg.orderType));
  writer.u8(TIMES_IN_FORCE.indexOf(leg.timeInForce));
  writer.uint(leg.priceTicks + 1);
  writer.uint(leg.stopTicks + 1);
  writer.uint(leg.icebergLots + 1);
  writer.text(leg.clientOrderId);
}

function readLeg(reader: ByteReader): ListLeg {
  return {
    orderType: word(ORDER_TYPES, reader.u8()),
    timeInForce: word(TIMES_IN_FORCE, reader.u8()),
    priceTicks: reader.uint() - 1,
    stopTicks: reader.uint() - 1,
    icebergLots: reader.uint() - 1,
    clientOrderId: reader.text(),
  };
}

function writeCancelOrderList(writer: ByteWriter, command: CancelOrderList): void {
  writer.uint(command.accountId);
  writer.uint(command.symbolId);
  writer.uint(command.orderListId + 1);
  writer.text(command.listClientOrderId);
  writer.text(command.newClientOrderId);
}

function readCancelOrderList(reader: ByteReader): CancelOrderList {
  return {
    type: "cancelOrderList",
    accountId: reader.uint(),
    symbolId: reader.uint(),
    orderListId: reader.uint() - 1,
    listClientOrderId: reader.text(),
    newClientOrderId: reader.text(),
  };
}

function readJson(reader: ByteReader, type: CommandType): Command {
  let command: unknown;
  try {
    command = JSON.parse(reader.text());
  } catch {
    throw new MalformedBytes(`${type} is not JSON`);
  }
  if (typeof command !== "object" || command === null || (command as Command).type !== type) {
    throw new MalformedBytes(`${type} holds another command`);
  }
  return command as Command;
}

function word<T>(words: readonly T[], number: number): T {
  const found = words[number];
  if (found === undefined) throw new MalformedBytes(`unknown word ${number}`);
  return found;
}
