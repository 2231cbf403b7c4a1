/** Saved state of the outbox: after a restore the same emails are sent at the same times, and no others are on disk. */
import assert from "node:assert/strict";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { Dice } from "@pricetime/testkit/dice";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { mailFilesIn, MailFolder } from "../../../src/people/mail/mail-folder.ts";
import { FileOutbox } from "../../../src/people/mail/mail-room.ts";
import { MailRefused } from "../../../src/people/mail/smtp.ts";
import { asInFile, restoring } from "../../platform/world/goes-on.ts";
import { VirtualWorld } from "../../platform/world/virtual-world.ts";

const START_MS = 1_609_459_230_000;
const SEEDS = 10;
const STEPS = 40;

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

class Post {
  readonly world: VirtualWorld;
  readonly room: FileOutbox;
  /** The emails that the mail server was offered, with times. */
  readonly offered: string[] = [];

  constructor(world: VirtualWorld, name: string, hasServer: boolean) {
    this.world = world;
    const onError = (error: Error): void => assert.fail(error);
    const sending = {
      send: async ({ subject }: { readonly subject: string }) => {
        this.offered.push(`${world.nowMs()} ${subject}`);
        // Depends on mail and time only, so that equal offers get equal answers.
        const luck = (world.nowMs() + subject.length) % 5;
        if (luck === 0) throw new MailRefused("no such box");
        if (luck < 4) throw new Error("try later");
      },
      close: () => {},
    };
    this.room = new FileOutbox({
      world,
      folder: new MailFolder(mailFilesIn(join(folder, name)), { world, onError }),
      sending: hasServer ? sending : null,
      publicUrl: () => "https://exchange.example",
      log: { warn: () => {} },
    });
  }

  async traffic(dice: Dice): Promise<void> {
    for (let i = 0; i < STEPS; i++) {
      await this.world.advance(dice.below(60_000));
      const failed = this.room.list().find(({ status }) => status === "failed");
      if (failed !== undefined && dice.oneIn(3)) await this.room.sendAgain(failed.mailId);
      else this.room.post({ to: "a@example.com", subject: "s".repeat(dice.between(1, 9)), text: String(i) });
    }
    await this.world.advance(10 * 3_600_000);
  }
}

for (const hasServer of [true, false]) {
  test(`mail goes on, ${hasServer ? "with" : "without"} a mail server`, async () => {
    let waited = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const dice = new Dice(seed);
      const own = new Post(new VirtualWorld(START_MS), `${seed}-own`, hasServer);
      for (let i = 0; i < STEPS; i++) {
        await own.world.advance(dice.below(5_000));
        own.room.post({ to: "a@example.com", subject: "s".repeat(dice.between(1, 9)), text: String(i) });
      }
      await own.world.advance(0);
      waited += own.room.waiting;
      const states = asInFile(own.world.saved.save());
      // An email from after the checkpoint, which a restore removes.
      const name = `${seed}-other`;
      const later = new Post(new VirtualWorld(own.world.nowMs()), name, false);
      const gone = later.room.post({ to: "b@example.com", subject: "later", text: "" });
      await later.room.close();
      const world = new VirtualWorld(own.world.nowMs(), own.world.drawn, restoring(states));
      const other = new Post(world, name, hasServer);
      world.saved.finish();
      assert.deepEqual(world.saved.save(), states, "the same is saved again");
      own.offered.length = 0;
      for (const each of [own, other]) await each.traffic(new Dice(seed + SEEDS));
      assert.deepEqual(other.offered, own.offered, `seed ${seed}`);
      assert.deepEqual(other.room.list(), own.room.list(), `seed ${seed}`);
      for (const each of [own, other]) await each.room.close();
      assert.deepEqual(readdirSync(join(folder, name)).sort(), readdirSync(join(folder, `${seed}-own`)).sort());
      assert.equal(other.room.find(gone), undefined);
    }
    assert.equal(waited > 0, hasServer, "some waited for the next try");
  });
}
