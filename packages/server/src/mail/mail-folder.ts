/** Mails on disk, one file each: a restart goes on where the last run stopped. They hold secrets: mode 0600. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { MailRecord } from "./port.ts";

const schema: z.ZodType<MailRecord> = z.strictObject({
  mailId: z.string().regex(/^[0-9]{13}-[0-9a-f]{16}$/),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  createdMs: z.int(),
  status: z.enum(["waiting", "sent", "failed", "kept"]),
  attempts: z.int().min(0),
  trouble: z.string(),
});

export class MailFolder {
  readonly #path: string;
  /** Writes and removals one after the other, so that the newest version of a mail is the last one written. */
  #turn: Promise<unknown> = Promise.resolve();
  readonly #onError: (error: Error) => void;

  /** Makes the folder. `onError`: a file could not be written; the mail goes on without it. */
  constructor(path: string, onError: (error: Error) => void) {
    this.#path = path;
    this.#onError = onError;
    mkdirSync(path, { recursive: true, mode: 0o700 });
  }

  /** By time. What cannot be read is left where it is, and told. */
  load(): MailRecord[] {
    const names = readdirSync(this.#path)
      .filter((name) => name.endsWith(".json"))
      .toSorted();
    return names.flatMap((name) => {
      try {
        return [schema.parse(JSON.parse(readFileSync(join(this.#path, name), "utf8")))];
      } catch (error) {
        this.#onError(new Error(`${name} is no mail that can be read`, { cause: error }));
        return [];
      }
    });
  }

  save(mail: MailRecord): void {
    this.#next(() => writeWhole(this.#file(mail.mailId), JSON.stringify(mail)));
  }

  remove(mailId: string): void {
    this.#next(() => rm(this.#file(mailId), { force: true }));
  }

  /** Resolves when everything until now is on disk. */
  async settled(): Promise<void> {
    await this.#turn;
  }

  #file(mailId: string): string {
    return join(this.#path, `${mailId}.json`);
  }

  #next(run: () => Promise<void>): void {
    this.#turn = this.#turn.then(run).catch((error: unknown) => this.#onError(error as Error));
  }
}

/** Whole or not at all; readable by its owner only. */
async function writeWhole(path: string, text: string): Promise<void> {
  const partial = `${path}.partial`;
  await rm(partial, { force: true });
  const file = await open(partial, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, path);
}
