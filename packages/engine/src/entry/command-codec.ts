/**
 * Commands as bytes, for the journal. A command is its type, the version of its layout, then its fields. Frequent
 * commands are packed by the tables of `packed-command.ts`, rare ones are JSON, so that an operator can read them. A
 * released layout stays readable permanently.
 */
import { assert } from "../assert.ts";
import { ByteReader, ByteWriter, MalformedBytes } from "../bytes.ts";
import { type AsHolder, type Command, type CommandType, type ExchangeCommand, isExchangeCommand } from "./command.ts";
import { wordAt } from "./fields.ts";
import {
  ADOPT_RULES,
  AMEND_ORDER,
  CANCEL_OPEN_ORDERS,
  CANCEL_ORDER,
  CANCEL_ORDER_LIST,
  CANCEL_REPLACE,
  CLOSE_LISTEN_KEY,
  KEEP_LISTEN_KEY,
  NODE_BATCH,
  OPEN_LISTEN_KEY,
  PLACE_OCO,
  PLACE_ORDER,
  PLACE_OTO,
  TICK,
} from "./packed-command.ts";

/** How commands of one type are written and read. */
export interface CommandLayout {
  readonly type: CommandType;
  /** The versions that can be read, in ascending order. */
  readonly versions: readonly number[];
  readonly newest: number;
  /** The version in which the command is written. */
  versionOf(command: Command): number;
  write(writer: ByteWriter, command: Command, version: number): void;
  /** Throws `MalformedBytes`. */
  read(reader: ByteReader, version: number): Command;
}

/** `newest` is raised when older releases must not read newly written commands. */
function json(type: CommandType, newest = 1): CommandLayout {
  return {
    type,
    newest,
    versions: Array.from({ length: newest }, (_, i) => i + 1),
    versionOf: () => newest,
    write: (writer, command) => writer.text(JSON.stringify(command)),
    read: (reader) => readJson(reader, type),
  };
}

/** The inner command is written with its own type and layout version. */
const AS_HOLDER: CommandLayout = {
  type: "asHolder",
  newest: 1,
  versions: [1],
  versionOf: () => 1,
  write(writer, command) {
    const { role, number, command: inner } = command as AsHolder;
    writer.text(role);
    writer.uint(number);
    CODEC.writeInner(writer, inner);
  },
  read: (reader) => ({
    type: "asHolder",
    role: reader.text(),
    number: reader.uint(),
    command: CODEC.readInner(reader),
  }),
};

/** The position in the list is the number of the command type in the journal: append only. */
export const COMMAND_LAYOUTS: readonly CommandLayout[] = [
  TICK,
  PLACE_ORDER,
  CANCEL_ORDER,
  CANCEL_OPEN_ORDERS,
  OPEN_LISTEN_KEY,
  KEEP_LISTEN_KEY,
  CLOSE_LISTEN_KEY,
  json("listAsset"),
  json("listSymbol"),
  json("setSymbolStatus"),
  json("setSymbolFilters"),
  json("setExchangeFilters"),
  json("openAccount"),
  json("changeAccount"),
  json("setSymbolFee"),
  json("createApiKey"),
  json("deleteApiKey"),
  json("deposit"),
  json("debit"),
  PLACE_OCO,
  CANCEL_ORDER_LIST,
  CANCEL_REPLACE,
  json("assignDepositAddress"),
  json("seeDeposit"),
  json("creditDeposit"),
  json("finishDeposit"),
  json("dropDeposit"),
  json("requestWithdrawal"),
  json("confirmWithdrawal"),
  json("cancelWithdrawal"),
  json("signWithdrawal"),
  json("completeWithdrawal"),
  json("failWithdrawal"),
  json("payNetworkCost"),
  json("advanceNetwork"),
  json("transfer"),
  json("convertDust"),
  json("lockApiTrading"),
  json("approveWithdrawal"),
  json("rejectWithdrawal"),
  json("setAssetNetworks"),
  json("setAddressList"),
  json("allowAddress"),
  json("disallowAddress"),
  json("setTotp"),
  json("setAccountStatus"),
  json("unlockApiTrading"),
  json("setMaintenance"),
  json("setDustRules"),
  json("distributeDividend"),
  ADOPT_RULES,
  json("failSignedWithdrawal"),
  json("bindMasterKey"),
  json("addPast"),
  json("importKlines"),
  NODE_BATCH,
  json("grantRole"),
  AS_HOLDER,
  json("setOrderLimits"),
  json("changeLetter"),
  json("setSharedSettings"),
  json("invite"),
  json("revokeInvitation"),
  json("acceptInvitation"),
  json("setPassword"),
  json("openSession"),
  json("renewSession"),
  json("closeSession"),
  json("closeSessions"),
  json("askRecovery"),
  json("cancelRecovery"),
  json("recover"),
  json("freezeAccount"),
  json("tellAlreadyKnown"),
  json("changeNotice"),
  json("setStop"),
  json("liftStop"),
  json("adjust"),
  json("noteAccount"),
  json("noteUnknownDeposit"),
  json("settleUnknownDeposit"),
  json("openOperator"),
  json("changeOperator"),
  json("setOperatorTotp"),
  json("setApprovalRules"),
  json("propose"),
  json("changeProposal"),
  json("approveProposal"),
  json("rejectProposal"),
  json("breakGlass"),
  json("stopBreakGlass"),
  json("publishProof"),
  json("setWithdrawalLimits"),
  json("setAccountWithdrawalLimits"),
  json("endOrder"),
  json("endAccountOrders"),
  json("endSymbolOrders"),
  json("setDelisting"),
  json("setInterface"),
  json("setSelfTradePrevention"),
  AMEND_ORDER,
  json("setCommissionDiscount"),
  json("setPriceRange"),
  PLACE_OTO,
  json("setOrderIds"),
];

/** Writes and reads commands by their layouts. */
export class CommandCodec {
  readonly #layouts: readonly CommandLayout[];
  readonly #numbers: ReadonlyMap<CommandType, number>;
  /** Created once, because V8 drops the compiled code of a class without living instances when it collects garbage. */
  readonly #writer = new ByteWriter();

  constructor(layouts: readonly CommandLayout[]) {
    this.#layouts = layouts;
    this.#numbers = new Map(layouts.map(({ type }, number) => [type, number]));
  }

  encode(commands: readonly Command[]): Uint8Array {
    const writer = this.#writer;
    writer.clear();
    for (const command of commands) this.#write(writer, command);
    return writer.bytes();
  }

  /** Returns the first command and ignores the following bytes. Throws `MalformedBytes`. */
  decodeFirst(bytes: Uint8Array): Command {
    return this.#read(new ByteReader(bytes));
  }

  /** Throws `MalformedBytes` unless the bytes contain exactly `count` commands. */
  decode(bytes: Uint8Array, count: number): Command[] {
    const reader = new ByteReader(bytes);
    const commands: Command[] = [];
    for (let i = 0; i < count; i++) commands.push(this.#read(reader));
    if (!reader.atEnd) throw new MalformedBytes("bytes left over after the last command");
    return commands;
  }

  /** Writes a command that is part of another one. */
  writeInner(writer: ByteWriter, command: ExchangeCommand): void {
    assert(isExchangeCommand(command), `no command carries a ${(command as Command).type}`);
    this.#write(writer, command);
  }

  /** Reads a command that is part of another one. Throws `MalformedBytes` for a command that itself contains others. */
  readInner(reader: ByteReader): ExchangeCommand {
    const layout = wordAt(this.#layouts, reader.u8());
    if (!isExchangeCommand(layout)) throw new MalformedBytes(`no command carries a ${layout.type}`);
    return this.#readAs(layout, reader) as ExchangeCommand;
  }

  #write(writer: ByteWriter, command: Command): void {
    const number = this.#numbers.get(command.type) as number;
    const layout = this.#layouts[number] as CommandLayout;
    writer.u8(number);
    const version = layout.newest === 1 ? 1 : layout.versionOf(command);
    writer.u8(version);
    layout.write(writer, command, version);
  }

  #read(reader: ByteReader): Command {
    return this.#readAs(wordAt(this.#layouts, reader.u8()), reader);
  }

  #readAs(layout: CommandLayout, reader: ByteReader): Command {
    const version = reader.u8();
    if (version !== layout.newest && !layout.versions.includes(version)) {
      throw new MalformedBytes(`${layout.type} has layout ${version}, which this release does not know`);
    }
    return layout.read(reader, version);
  }
}

const CODEC = new CommandCodec(COMMAND_LAYOUTS);

export function encodeCommands(commands: readonly Command[]): Uint8Array {
  return CODEC.encode(commands);
}

/** Reads the first command of a batch and ignores the following bytes. Throws `MalformedBytes`. */
export function decodeFirstCommand(bytes: Uint8Array): Command {
  return CODEC.decodeFirst(bytes);
}

/** Throws `MalformedBytes` unless the bytes contain exactly `count` commands. */
export function decodeCommands(bytes: Uint8Array, count: number): Command[] {
  return CODEC.decode(bytes, count);
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
