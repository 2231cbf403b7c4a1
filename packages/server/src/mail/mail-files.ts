/** The files of a mail folder: each is there whole or not at all, and readable by its owner only. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";

export interface MailFiles {
  /** Names, in no order. */
  list(): readonly string[];
  read(name: string): string;
  /** In the place of one that is there. Resolves when it is on the disk. */
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Makes the folder. */
export function mailFilesIn(folder: string): MailFiles {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    list: () => readdirSync(folder),
    read: (name) => readFileSync(join(folder, name), "utf8"),
    write: (name, text) => writeWhole(join(folder, name), text),
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}

/** On a full disk no half of it stays. */
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
