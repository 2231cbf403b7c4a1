/** What the terminal's logic says, in English. Values come as they are to be shown. */

export const WIRE = {
  fault: (what: string): string => `The answer could not be read: ${what}`,
  noJson: (status: number): string => `HTTP ${status}, and no answer of the exchange.`,
  noSigning: "This browser signs requests only on pages of https or of this machine (localhost).",
  noSecret: "The secret key is missing.",
  late: "No answer in time.",
  unreachable: "The exchange cannot be reached.",
  blocked: (seconds: number): string =>
    `Too many requests from this address: the exchange answers again in ${seconds} s.`,
  closed: (code: number, reason: string): string =>
    reason === "" ? `The connection ended (${code}).` : `The connection ended: ${reason}`,
  oldSnapshot: "What was fetched is older than what the stream tells; it is asked for again.",
  silent: "The exchange has gone silent.",
} as const;
