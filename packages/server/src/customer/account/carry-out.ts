/** Journals what a customer asks for; the engine decides. */
import type { Command, RejectReason } from "@pricetime/engine";
import { type AccountParts, AccountRefused } from "./port.ts";

const REASONS: Partial<Record<RejectReason, readonly [status: number, message: string]>> = {
  NOT_PERMITTED: [403, "You may not do this."],
  UNKNOWN_ACCOUNT: [404, "You have no such account."],
  UNKNOWN_API_KEY: [404, "You have no such API key."],
  UNKNOWN_ADDRESS: [404, "It is not on your list."],
  UNKNOWN_WITHDRAWAL: [404, "You have no such withdrawal, or it is over."],
  WRONG_STATUS: [409, "It has gone too far for that."],
  ALREADY_EXISTS: [409, "It is there already."],
  TOO_MANY: [409, "There can be no more of these."],
  INVALID_VALUE: [400, "A value is out of range."],
};

/** Rejects with `AccountRefused` when the engine refuses it. */
export async function carryOut({ sequencer }: Pick<AccountParts, "sequencer">, command: Command): Promise<void> {
  const { events } = await sequencer.run(command);
  const [first] = events;
  if (first?.type !== "rejected") return;
  const [status, message] = REASONS[first.reason] ?? [400, "The exchange refused it."];
  throw new AccountRefused(status, first.reason, message);
}
