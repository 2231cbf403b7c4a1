/** What the log says about the owners of tasks, from a replay with a separate engine. */
import assert from "node:assert/strict";
import { type AsHolder, type Command, decodeCommands, Engine, type Event, type NodeBatch } from "@pricetime/engine";
import type { MemoryLog } from "../../journal/sequencer/memory-log.ts";

export interface Acts {
  /** Commands that were carried out, or rejected for other reasons; commands of former owners. */
  readonly done: number;
  readonly refused: number;
  readonly grants: number;
}

interface LogWorld {
  readonly log: MemoryLog;
  readonly spoil?: (engine: Engine) => void;
}

/**
 * Checks that every command that was carried out was that of the last owner and its process, and that fencing tokens
 * are unique. `visit` is called with every command and its events.
 */
export function actsIn(
  { log, spoil }: LogWorld,
  visit: (command: Command, events: readonly Event[]) => void = () => {},
): Acts {
  const engine = new Engine();
  spoil?.(engine);
  const told = { done: 0, refused: 0, grants: 0 };
  const grants = new Map<string, Command<"grantRole">[]>();
  for (const { bytes, count, timeMs } of log.rows) {
    const commands = decodeCommands(bytes, count);
    const header = commands[0] as NodeBatch;
    if (!engine.nodes.accepts(header)) continue;
    const entryMs = Math.max(engine.timeMs, timeMs);
    for (const command of commands) {
      const events = engine.apply({ seq: engine.seq + 1, timeMs: entryMs, command });
      visit(command, events);
      const [first] = events;
      const isRefused = first?.type === "rejected";
      if (command.type === "grantRole" && !isRefused) {
        const given = grants.get(command.role) ?? [];
        assert.equal(command.after, given.length, "a grant follows the one before it");
        grants.set(command.role, [...given, command]);
        told.grants++;
      }
      if (command.type !== "asHolder") continue;
      if (isRefused && first.reason === "ROLE_TAKEN") told.refused++;
      else {
        checkAct(command, header, grants.get(command.role) ?? []);
        told.done++;
      }
    }
  }
  return told;
}

function checkAct(
  { number }: AsHolder,
  { node, incarnation }: NodeBatch,
  grants: readonly Command<"grantRole">[],
): void {
  const last = grants.at(-1);
  assert.equal(number, grants.length, "an act is of the last grant");
  assert.deepEqual([node, incarnation], [last?.node, last?.incarnation], "an act is the holder's");
}
