/** What an admin request is answered with, and why it is refused. */
import type { RejectReason } from "@pricetime/engine";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const created = (body: unknown): Answer => ({ status: 201, body });

/** A request that is not carried out. `code` is a word for programs, the message a sentence for people. */
export class AdminRefusal extends Error {
  override readonly name = "AdminRefusal";
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const REASONS: Partial<Record<RejectReason, readonly [status: number, message: string]>> = {
  UNKNOWN_ACCOUNT: [404, "There is no such account."],
  UNKNOWN_ASSET: [404, "There is no such asset."],
  UNKNOWN_SYMBOL: [404, "There is no such symbol."],
  UNKNOWN_API_KEY: [404, "There is no such API key."],
  ALREADY_EXISTS: [409, "It exists already; nothing was changed."],
  INSUFFICIENT_BALANCE: [409, "The account does not have that much free."],
  TOO_MANY: [409, "There can be no more of these."],
  INVALID_VALUE: [400, "The exchange cannot hold a value that was sent: out of range, or too many digits."],
};

/** The engine said no. */
export function refusalOf(reason: RejectReason): AdminRefusal {
  const [status, message] = REASONS[reason] ?? [400, "The exchange refused it."];
  return new AdminRefusal(status, reason, message);
}
