/** Mails on disk, one file each: a restart goes on where the last run stopped. They hold secrets: mode 0600. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Cancel, Timers } from "../world/port.ts";
import type { MailRecord } from "./port.ts";

const schema: z.ZodType<MailRecord> = z.strictObject({
  mailId: z.string().regex(/^[0-9]{13}-[0-9a-f]{16}$/),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  withdrawalId: z.string().exactOptional(),
  createdMs: z.int(),
  status: z.enum(["waiting", "sent", "failed", "kept"]),
  attempts: z.int().min(0),
  trouble: z.string(),
});

/** What could not be written is tried again after this, then after twice as long, and so on. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export interface MailFolderOptions {
  readonly world: Timers;
  /** A file that is no mail. */
  readonly onError: (error: Error) => void;
  /** Mails cannot be written, and wait for it in memory; or (null) all are on disk again. */
  readonly onTrouble?: ((error: Error | null) => void) | undefined;
  /** The first pause between tries. */
  readonly firstPauseMs?: number;
}

export class MailFolder {
  readonly #path: string;
  readonly #options: MailFolderOptions;
  /** By mail, its newest version that is not on disk yet; null: to be removed. One is written after the other. */
  readonly #unwritten = new Map<string, MailRecord | null>();
  #writing: Promise<void> | undefined;
  #failures = 0;
  #stopRetry: Cancel = () => {};

  /** Makes the folder. */
  constructor(path: string, options: MailFolderOptions) {
    this.#path = path;
    this.#options = options;
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
        this.#options.onError(new Error(`${name} is no mail that can be read`, { cause: error }));
        return [];
      }
    });
  }

  save(mail: MailRecord): void {
    this.#unwritten.set(mail.mailId, mail);
    this.#write();
  }

  remove(mailId: string): void {
    this.#unwritten.set(mailId, null);
    this.#write();
  }

  /** Resolves when everything until now is on disk, or was tried once more. No more is tried by itself. */
  async settled(): Promise<void> {
    if (this.#unwritten.size > 0) this.#write();
    await this.#writing;
    this.#stopRetry();
  }

  #write(): void {
    this.#stopRetry();
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Until all is written, or something could not be. */
  async #writeAll(): Promise<void> {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const [mailId, mail] = next;
      try {
        await this.#writeOne(mailId, mail);
      } catch (error) {
        this.#tryLater(error as Error);
        return;
      }
      if (this.#unwritten.get(mailId) === mail) this.#unwritten.delete(mailId);
    }
    if (this.#failures > 0) this.#options.onTrouble?.(null);
    this.#failures = 0;
  }

  #next(): [mailId: string, mail: MailRecord | null] | undefined {
    const [first] = this.#unwritten;
    return first;
  }

  async #writeOne(mailId: string, mail: MailRecord | null): Promise<void> {
    const path = join(this.#path, `${mailId}.json`);
    if (mail === null) await rm(path, { force: true });
    else await writeWhole(path, JSON.stringify(mail));
  }

  #tryLater(error: Error): void {
    this.#options.onTrouble?.(error);
    const first = this.#options.firstPauseMs ?? FIRST_PAUSE_MS;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, first * 2 ** this.#failures++);
    this.#stopRetry = this.#options.world.after(pauseMs, () => this.#write());
  }
}

/** Whole or not at all; readable by its owner only. On a full disk no half of it stays. */
async function writeWhole(path: string, text: string): Promise<void> {
  const partial = `${path}.partial`;
  await rm(partial, { force: true });
  try {
    const file = await open(partial, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {});
    throw error;
  }
}
