/** What a run does, step by step. A run that chance has made is kept as its steps, so that it can be cut down. */
import type { Command } from "@pricetime/engine";
import type { Fate, SandboxFault } from "@pricetime/server/parts";

/** What people and machines outside of the node do. */
export type OutsideAct =
  /** A connection to streams of markets. */
  | { readonly type: "listen"; readonly names: readonly string[] }
  /** A connection to the stream of an account, by the key that it has now. */
  | { readonly type: "follow"; readonly accountId: number }
  /** A client leaves: which of those that are connected. */
  | { readonly type: "hangUp"; readonly which: number }
  /** A stranger pays to the address of an account, which the account asks for first. */
  | { readonly type: "payIn"; readonly accountId: number; readonly asset: string; readonly amount: string }
  | { readonly type: "reorg"; readonly depth: number; readonly fate: Fate }
  | { readonly type: "chainFault"; readonly fault: SandboxFault }
  | { readonly type: "mailDown"; readonly forMs: number };

export type Act =
  | { readonly type: "command"; readonly command: Command; readonly via: "client" | "inside" }
  /** A client asks for an order, in the midst of everything. */
  | { readonly type: "read"; readonly accountId: number; readonly orderId: number }
  /** The power goes after so many operations of the disk. */
  | { readonly type: "cutAtOperation"; readonly operations: number }
  /** The power goes between two tasks. */
  | { readonly type: "cutAtTurn"; readonly turns: number }
  /**
   * The process dies; what it wrote is with the operating system. `flips`: wrong bits when it is next read. `cutTurns`:
   * the power goes so soon after the next start.
   */
  | { readonly type: "kill"; readonly turns: number; readonly flips: number; readonly cutTurns?: number }
  | { readonly type: "full"; readonly forMs: number }
  | { readonly type: "failSyncs"; readonly count: number }
  | { readonly type: "deaf"; readonly heads: number }
  | { readonly type: "slow"; readonly forMs: number; readonly stepMs: number }
  /** The wall clock leaps, and is put right after so long; 0: it stays so. */
  | { readonly type: "clock"; readonly jumpMs: number; readonly forMs: number }
  /** The whole machine; the wall clock and the uptime go on. */
  | { readonly type: "sleep"; readonly forMs: number }
  /** Commits of history that were not waited for are gone. */
  | { readonly type: "loseHistory"; readonly toSeq: number }
  | { readonly type: "audit" }
  /** A browser shows the cookie of a session, or the one from before its last renewal. */
  | { readonly type: "showCookie"; readonly sessionId: string; readonly isOld: boolean }
  | OutsideAct;

export interface Step {
  /** After the step before. */
  readonly afterMs: number;
  readonly act: Act;
}

/** The text of a step for kept seeds and failing runs. */
export function toJson(steps: readonly object[]): string {
  const lines = steps.map((step) =>
    JSON.stringify(step, (_key, value: unknown) => (typeof value === "bigint" ? { big: `${value}` } : value)),
  );
  return `[\n${lines.join(",\n")}\n]\n`;
}

export function fromJson<S = Step>(text: string): S[] {
  return JSON.parse(text, (_key, value: unknown) => {
    const big = (value as { big?: string } | null)?.big;
    return typeof big === "string" ? BigInt(big) : value;
  }) as S[];
}
