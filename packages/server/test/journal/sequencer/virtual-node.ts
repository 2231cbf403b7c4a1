/** The core of a node, which can be copied with its state. */
import assert from "node:assert/strict";
import { type Command, Engine } from "@pricetime/engine";
import { GroupCommitSequencer } from "../../../src/journal/sequencer/group-commit.ts";
import type { Outcome } from "../../../src/journal/sequencer/port.ts";
import type { SavedParts } from "../../../src/platform/world/saved-state.ts";
import { VirtualWorld } from "../../platform/world/virtual-world.ts";
import { FaultyJournal } from "./faulty-journal.ts";

/** A sequencer and its engine in virtual time, on an in-memory journal. */
export class VirtualNode {
  readonly journal = new FaultyJournal();
  readonly sequencer: GroupCommitSequencer;
  readonly world: VirtualWorld;
  readonly engine: Engine;

  constructor(world: VirtualWorld, engine: Engine) {
    this.world = world;
    this.engine = engine;
    const onFatal = (error: Error): void => assert.fail(error);
    this.sequencer = new GroupCommitSequencer({ world, journal: this.journal, engine, node: "n", onFatal });
    this.sequencer.start();
  }

  async run(command: Command): Promise<Outcome> {
    const done = this.sequencer.run(command);
    await this.world.advance(0);
    return done;
  }

  /** A node in the same state, with the same journal. */
  async copy(saved?: SavedParts): Promise<VirtualNode> {
    const world = new VirtualWorld(this.world.nowMs(), this.world.drawn, saved);
    const copy = new VirtualNode(world, Engine.restore(this.engine.snapshot()));
    for (const batch of this.journal.appended) await copy.journal.append(batch);
    return copy;
  }

  /** Entries from `firstSeq` on: their times and bytes. */
  entriesFrom(firstSeq: number): readonly string[] {
    const batches = this.journal.appended.filter((batch) => batch.firstSeq >= firstSeq);
    return batches.map(({ firstSeq: seq, timeMs, bytes }) => `${seq} ${timeMs} ${Buffer.from(bytes).toString("hex")}`);
  }
}
