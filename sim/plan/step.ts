/** The steps of a run. A random run is stored as its steps, so that it can be shortened. */
import type { Command } from "@pricetime/engine";
import type { Fate, SandboxFault } from "@pricetime/server/parts";

/** The actions of people and machines outside of the node. */
export type OutsideAct =
  /** Connects to streams of markets. */
  | { readonly type: "listen"; readonly names: readonly string[] }
  /** Connects to the stream of an account, by its current listen key. */
  | { readonly type: "follow"; readonly accountId: number }
  /** Disconnects one of the connected clients. */
  | { readonly type: "hangUp"; readonly which: number }
  /** An outsider pays to the deposit address of an account, which the account requests first. */
  | { readonly type: "payIn"; readonly accountId: number; readonly asset: string; readonly amount: string }
  | { readonly type: "reorg"; readonly depth: number; readonly fate: Fate }
  | { readonly type: "chainFault"; readonly fault: SandboxFault }
  | { readonly type: "mailDown"; readonly forMs: number };

export type Act =
  | { readonly type: "command"; readonly command: Command; readonly via: "client" | "inside" }
  /** A client queries an order while other requests are running. */
  | { readonly type: "read"; readonly accountId: number; readonly orderId: number }
  /** The power fails after so many disk operations. */
  | { readonly type: "cutAtOperation"; readonly operations: number }
  /** The power fails between two tasks. */
  | { readonly type: "cutAtTurn"; readonly turns: number }
  /**
   * The process dies; its writes remain with the operating system. `flips` is the number of wrong bits at the next
   * read. `cutTurns`: the power fails so many turns after the next start.
   */
  | { readonly type: "kill"; readonly turns: number; readonly flips: number; readonly cutTurns?: number }
  | { readonly type: "full"; readonly forMs: number }
  | { readonly type: "failSyncs"; readonly count: number }
  | { readonly type: "deaf"; readonly heads: number }
  | { readonly type: "slow"; readonly forMs: number; readonly stepMs: number }
  /** The wall clock jumps, and is corrected after `forMs`; 0: never. */
  | { readonly type: "clock"; readonly jumpMs: number; readonly forMs: number }
  /** The whole machine sleeps; the wall clock and the uptime continue. */
  | { readonly type: "sleep"; readonly forMs: number }
  /** History commits that were not synced are lost. */
  | { readonly type: "loseHistory"; readonly toSeq: number }
  | { readonly type: "audit" }
  /** A browser sends the cookie of a session, or the one from before its last renewal. */
  | { readonly type: "showCookie"; readonly sessionId: string; readonly isOld: boolean }
  | OutsideAct;

export interface Step {
  /** The time since the previous step. */
  readonly afterMs: number;
  readonly act: Act;
}

/** What a run is made from; `RunResult` is what has come of it. */
export interface RunOptions<S, Seams> {
  readonly seed: number;
  /** Steps after the opening. */
  readonly length: number;
  /** Replaces the steps that the seed would generate. */
  readonly steps?: readonly S[];
  readonly seams?: Seams;
}

export interface RunResult<S, Counts> {
  readonly violation: string | undefined;
  readonly steps: readonly S[];
  /** SHA-256 of everything that happened, in order. */
  readonly digest: string;
  readonly lines: readonly string[];
  readonly counts: Counts;
}

/** The text of steps for stored seeds and failing runs. */
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
