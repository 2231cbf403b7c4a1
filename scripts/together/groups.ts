/** Test files for one process each: files that import the tests of a part of all, written to a folder of their own. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A group is to be over before files that have a process are: three run at a time. */
const LARGEST_GROUP = 50;
const ENTRY = new URL("./one-process.ts", import.meta.url).href;

/** The files of a group, by the path of the file that runs them. */
export type Groups = ReadonlyMap<string, readonly string[]>;

/** `files` in their order, so that those of a folder are in a group and what they import is read once. */
export function writeGroups(root: string, folder: string, files: readonly string[]): Groups {
  const groups = new Map<string, readonly string[]>();
  const count = Math.ceil(files.length / LARGEST_GROUP);
  for (let at = 0; at < count; at++) {
    const some = files.slice(Math.floor((files.length * at) / count), Math.floor((files.length * (at + 1)) / count));
    const path = join(folder, `together-${at + 1}.mjs`);
    const given = [root, some].map((value) => JSON.stringify(value)).join(", ");
    writeFileSync(path, `import { inOneProcess } from ${JSON.stringify(ENTRY)};\ninOneProcess(${given});\n`);
    groups.set(path, some);
  }
  return groups;
}
