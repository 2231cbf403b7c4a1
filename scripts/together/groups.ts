/** Test files for one process each: files that import the tests of a part of all, written to a folder of their own. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** How many files a group has at most. It is to be over before the last of the others is, and three run at a time. */
const LARGEST_GROUP = { many: 50, few: 6 } as const;
const ENTRY = new URL("./one-process.ts", import.meta.url).href;

/** The files of a group, by the path of the file that runs them. */
export type Groups = ReadonlyMap<string, readonly string[]>;

/** Files by how many others they share a process with, in their order: those of a folder read what they import once. */
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
