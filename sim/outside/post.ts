/**
 * The mail folder of a node on the simulated disk, a mail server with occasional failures, and the delivered emails.
 */
import type { MailFiles, Mail, Sending } from "@pricetime/server/parts";
import type { Dice } from "@pricetime/testkit/dice";
import type { Life, Schedule } from "@pricetime/testkit/schedule";
import type { SimDisk } from "../world/disk.ts";

const FOLDER = "data/mail";
const MOST_STEP_MS = 5;
const MOST_DELIVERY_MS = 300;

export interface PostParts {
  readonly disk: SimDisk;
  readonly schedule: Schedule;
  readonly dice: Dice;
  /** An email was delivered. The node may never learn of it. */
  readonly onLetter: (mail: Mail) => void;
}

export class Post {
  isDown = false;
  readonly #parts: PostParts;

  constructor(parts: PostParts) {
    this.#parts = parts;
  }

  filesFor(life: Life): MailFiles {
    const { disk, schedule, dice } = this.#parts;
    const step = (): Promise<void> => schedule.pause(dice.below(MOST_STEP_MS), life);
    return {
      list: () => disk.list(FOLDER),
      read: (name) => disk.readSound(`${FOLDER}/${name}`).toString(),
      write: async (name, text) => {
        const [path, partial] = [`${FOLDER}/${name}`, `${FOLDER}/${name}.partial`];
        await step();
        disk.remove(partial);
        disk.make(partial);
        try {
          disk.write(partial, 0, Buffer.from(text));
          await step();
          disk.sync(partial);
          disk.rename(partial, path);
        } catch (error) {
          if (life.alive) disk.remove(partial);
          throw error;
        }
      },
      remove: async (name) => {
        await step();
        disk.remove(`${FOLDER}/${name}`);
      },
    };
  }

  sendingFor(life: Life): Sending {
    const { schedule, dice, onLetter } = this.#parts;
    const deliver = (): Promise<void> => schedule.pause(dice.below(MOST_DELIVERY_MS), life);
    return {
      send: async (mail) => {
        await deliver();
        if (this.isDown) throw new Error("nobody answers");
        onLetter(mail);
        await deliver();
      },
      close: () => {},
    };
  }
}
