/** Stores emails on disk, one file each. After a restart, sending continues with the stored emails. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Cancel, Timers } from "../../platform/world/port.ts";
import type { MailRecord } from "./port.ts";

// Files of stored emails. Each is either complete or absent, and readable only by its owner.

export interface MailFiles {
  /** Returns the file names in no particular order. */
  list(): readonly string[];
  read(name: string): string;
  /** Writes a file, replacing an existing one. Resolves when it is on disk. */
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Creates the folder if it is missing. */
export function mailFilesIn(folder: string): MailFiles {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    list: () => readdirSync(folder),
    read: (name) => readFileSync(join(folder, name), "utf8"),
    write: (name, text) => writeWhole(join(folder, name), text),
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}

/** Writes a complete file or none, even on a full disk. */
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

const MAIL_ID = /^[0-9]{13}-[0-9a-f]{16}$/;

export const MAIL_RECORD: z.ZodType<MailRecord> = z.strictObject({
  mailId: z.string().regex(MAIL_ID),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  withdrawalId: z.string().exactOptional(),
  noticeId: z.int().exactOptional(),
  createdMs: z.int(),
  status: z.enum(["waiting", "sent", "failed", "kept", "unknown"]),
  attempts: z.int().min(0),
  trouble: z.string(),
});

/** The pause after the first failed write. It doubles with each failure. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export interface MailFolderOptions {
  readonly world: Timers;
  /** Called for a file that cannot be read. */
  readonly onError: (error: Error) => void;
  /**
   * Called with an error while emails cannot be written and exist only in memory, and with null when all are on disk
   * again.
   */
  readonly onTrouble?: ((error: Error | null) => void) | undefined;
  /** Called when the newest version of an email is on disk. */
  readonly onWritten?: ((mail: MailRecord) => void) | undefined;
  /** The pause after the first failed write. */
  readonly firstPauseMs?: number;
}

export class MailFolder {
  readonly #files: MailFiles;
  readonly #options: MailFolderOptions;
  /** The newest unwritten version of each email; null: to be deleted. Written one at a time. */
  readonly #unwritten = new Map<string, MailRecord | null>();
  #writing: Promise<void> | undefined;
  #failures = 0;
  #stopRetry: Cancel = () => {};

  constructor(files: MailFiles, options: MailFolderOptions) {
    this.#files = files;
    this.#options = options;
  }

  /** Returns the emails sorted by time. Unreadable files are reported and not deleted. */
  load(): MailRecord[] {
    const names = this.#files
      .list()
      .filter((name) => name.endsWith(".json"))
      .toSorted();
    return names.flatMap((name) => {
      try {
        return [MAIL_RECORD.parse(JSON.parse(this.#files.read(name)))];
      } catch (error) {
        this.#options.onError(new Error(`Cannot read the email ${name}`, { cause: error }));
        return [];
      }
    });
  }

  /** Replaces all stored emails by these. */
  replace(mails: readonly MailRecord[]): void {
    const staying = new Set(mails.map(({ mailId }) => mailId));
    for (const name of this.#files.list()) {
      const mailId = name.replace(/\.json$/, "");
      if (MAIL_ID.test(mailId) && !staying.has(mailId)) this.remove(mailId);
    }
    for (const mail of mails) this.save(mail);
  }

  save(mail: MailRecord): void {
    this.#unwritten.set(mail.mailId, mail);
    this.#write();
  }

  remove(mailId: string): void {
    this.#unwritten.set(mailId, null);
    this.#write();
  }

  /** Resolves when everything is on disk, or when one more attempt has failed. Ends automatic retries. */
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

  /** Writes until nothing is left or a write fails. */
  async #writeAll(): Promise<void> {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const [mailId, mail] = next;
      try {
        await this.#writeOne(mailId, mail);
      } catch (error) {
        this.#tryLater(error as Error);
        return;
      }
      if (this.#unwritten.get(mailId) !== mail) continue;
      this.#unwritten.delete(mailId);
      if (mail !== null) this.#options.onWritten?.(mail);
    }
    if (this.#failures > 0) this.#options.onTrouble?.(null);
    this.#failures = 0;
  }

  #next(): [mailId: string, mail: MailRecord | null] | undefined {
    const [first] = this.#unwritten;
    return first;
  }

  async #writeOne(mailId: string, mail: MailRecord | null): Promise<void> {
    const name = `${mailId}.json`;
    if (mail === null) await this.#files.remove(name);
    else await this.#files.write(name, JSON.stringify(mail));
  }

  #tryLater(error: Error): void {
    this.#options.onTrouble?.(error);
    const first = this.#options.firstPauseMs ?? FIRST_PAUSE_MS;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, first * 2 ** this.#failures++);
    this.#stopRetry = this.#options.world.after(pauseMs, () => this.#write());
  }
}
