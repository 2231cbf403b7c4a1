/** Groups test files for one process each: writes files that import the tests of a group to a temporary folder. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The largest number of files in a group. A group must end before the last of the other files, and three run at a time.
 */
const LARGEST_GROUP = { many: 50, few: 25 } as const;
const ENTRY = new URL("./one-process.ts", import.meta.url).href;

/** The files of a group, by the path of the file that runs them. */
export type Groups = ReadonlyMap<string, readonly string[]>;

/**
 * Files by how many others they share a process with, in their order, so that files of a folder load their imports
 * once.
 */
export interface Shared {
  readonly many: readonly string[];
  readonly few: readonly string[];
}

export function writeGroups(root: string, folder: string, shared: Shared): Groups {
  const groups = new Map<string, readonly string[]>();
  for (const kind of ["many", "few"] as const) {
    const files = shared[kind];
    const count = Math.ceil(files.length / LARGEST_GROUP[kind]);
    for (let at = 0; at < count; at++) {
      const some = files.slice(Math.floor((files.length * at) / count), Math.floor((files.length * (at + 1)) / count));
      const path = join(folder, `with-${kind}-${at + 1}.mjs`);
      const given = [root, some].map((value) => JSON.stringify(value)).join(", ");
      writeFileSync(path, `import { inOneProcess } from ${JSON.stringify(ENTRY)};\ninOneProcess(${given});\n`);
      groups.set(path, some);
    }
  }
  return groups;
}
