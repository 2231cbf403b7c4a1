/** A process that submits commands as fast as it can and prints each acknowledged entry; to be killed. */
import { writeSync } from "node:fs";
import { Dice } from "@pricetime/testkit/dice";
import { GroupCommitSequencer } from "../../../src/journal/sequencer/group-commit.ts";
import { openStorage } from "../../../src/journal/storage/storage.ts";
import { ACCOUNT_IDS, randomCommand, setup } from "@pricetime/testkit/journal";
import { MACHINE } from "../../../src/platform/world/machine.ts";

const [folder = "", seed = "0"] = process.argv.slice(2);
const die = (error: Error): never => {
  throw error;
};
const storage = openStorage({ world: MACHINE, folder, snapshotEveryEntries: 700, onFatal: die });
const { engine } = storage.recovery;
const sequencer = new GroupCommitSequencer({
  world: MACHINE,
  journal: storage.journal,
  engine,
  node: "n1",
  onFatal: die,
  onBatch: ({ firstSeq, count }) => storage.projector.publish(firstSeq + count - 1),
});
const dice = new Dice(Number(seed));

function submitNext(): void {
  const command = randomCommand(dice, engine.seq + 1);
  sequencer.submit(command, (outcome) => {
    if (outcome instanceof Error) die(outcome);
    else print(`${outcome.seq} ${engine.eventDigest()}\n`);
    submitNext();
  });
}

if (engine.account(ACCOUNT_IDS[0] as number) === undefined) for (const command of setup()) await sequencer.run(command);
for (let i = 0; i < 20; i++) submitNext();

/** Writes the complete line at once, though the reader of the pipe may be slow. */
function print(line: string): void {
  for (let written = 0; written < line.length; ) {
    try {
      written += writeSync(1, line.slice(written));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
}
