/** Turns waiting requests into the bytes of a batch. */
import assert from "node:assert/strict";
import { type Command, decodeCommands, encodeCommands } from "@pricetime/engine";
import { NotAccepted, type Outcome, type OutcomeUnknown } from "./port.ts";

export type Settle = (outcome: Outcome | OutcomeUnknown | NotAccepted) => void;

export interface Request {
  readonly command: Command;
  readonly settle: Settle;
}

export interface FormedBatch {
  readonly bytes: Uint8Array;
  /** The commands as decoded from the bytes: what is applied here is what every replay will apply. */
  readonly commands: readonly Command[];
  readonly settles: readonly Settle[];
  /** The requests that the limit of bytes left for the next batch. */
  readonly leftOver: readonly Request[];
}

/** Commands that cannot be encoded (our own bug) are refused one by one; a bad command does not spoil others. */
export function formBatch(requests: readonly Request[], maxBytes: number): FormedBatch {
  let count = requests.length;
  for (;;) {
    const taken = count === requests.length ? requests : requests.slice(0, count);
    const commands = taken.map((request) => request.command);
    const coded = code(commands);
    if (coded === undefined) {
      const good = requests.filter(isCodable);
      assert(good.length < requests.length, "commands that have bytes alone have bytes together");
      return formBatch(good, maxBytes);
    }
    if (coded.bytes.length <= maxBytes || count === 1) {
      return { ...coded, settles: taken.map((request) => request.settle), leftOver: requests.slice(count) };
    }
    count >>= 1;
  }
}

function code(commands: readonly Command[]): { bytes: Uint8Array; commands: readonly Command[] } | undefined {
  try {
    const bytes = encodeCommands(commands);
    return { bytes, commands: decodeCommands(bytes, commands.length) };
  } catch {
    return undefined;
  }
}

function isCodable({ command, settle }: Request): boolean {
  if (code([command]) !== undefined) return true;
  settle(new NotAccepted("the command cannot be journaled"));
  return false;
}
