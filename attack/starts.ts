/** Starts nodes that may refuse to start, and examines running and stopped ones. */
import { type Exchange, metric, pricetime, type StartOptions, startExchange } from "@pricetime/testkit/venue";
import type { Scope } from "./scope.ts";

export type Start =
  | { readonly exchange: Exchange }
  /** The exit code, null if unknown; and the complete output. */
  | { readonly exchange: undefined; readonly code: number | null; readonly said: string };

export async function tryToStart(scope: Scope, options: StartOptions): Promise<Start> {
  try {
    const exchange = await startExchange(options);
    scope.defer(() => exchange.kill());
    return { exchange };
  } catch (error) {
    const [first = "", ...said] = (error as Error).message.split("\n");
    const code = /ended with code (\d+)/.exec(first)?.[1];
    return { exchange: undefined, code: code === undefined ? null : Number(code), said: said.join("\n") };
  }
}

/** Exited on its own with a reason in one line, without looking like a crash. */
export function isPlainRefusal(start: Start): boolean {
  if (start.exchange !== undefined || start.code !== 1) return false;
  const lines = start.said.trim().split("\n");
  return /^pricetime: \S/.test(lines.at(-1) ?? "") && !/\n\s+at |unsettled/.test(start.said);
}

/** The reason of the exit in a few words. */
export function whyNot(start: Start): string {
  if (start.exchange !== undefined) return "it started";
  return `code ${start.code}: ${start.said.trim().split("\n").at(-1)?.slice(0, 160) ?? ""}`;
}

export function isRunning({ pid }: Pick<Exchange, "pid">): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export function openConnections(exchange: Pick<Exchange, "admin">): Promise<number> {
  return metric(exchange, "pricetime_open_connections");
}

/**
 * The fault that `journal verify` finds in a data folder: hash chain, states, and that all postings of each asset add up
 * to zero. Null if there is none.
 */
export function journalFault(folder: string): string | null {
  const { code, stdout, stderr } = pricetime("journal", "verify", "--data", folder);
  return code === 0 ? null : `${stdout}${stderr}`.trim().slice(-300);
}
