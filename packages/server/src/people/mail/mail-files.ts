/** Files of stored emails: each is complete or absent, and readable by its owner only. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";

export interface MailFiles {
  /** Returns names in no particular order. */
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

/** Leaves no partial file, even on a full disk. */
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
