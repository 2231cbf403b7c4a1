import { existsSync, readdirSync, readlinkSync } from "node:fs";

/** Where the system lists a process's open files. */
const DESCRIPTORS = "/proc/self/fd";

/**
 * The open files of this process whose path begins so, or all of them, including sockets. Empty if the system has no
 * list.
 */
export function openFiles(path = ""): readonly string[] {
  if (!existsSync(DESCRIPTORS)) return [];
  return readdirSync(DESCRIPTORS).flatMap((number) => {
    try {
      const open = readlinkSync(`${DESCRIPTORS}/${number}`);
      return open.startsWith(path) ? [open] : [];
    } catch {
      // The descriptor of the listing itself is closed.
      return [];
    }
  });
}
