import { existsSync, readdirSync, readlinkSync } from "node:fs";

/** Where the system tells what a process has open. */
const DESCRIPTORS = "/proc/self/fd";

/** What this process has open: files whose path begins so, or everything, sockets among it. Nothing, where no system tells. */
export function openFiles(path = ""): readonly string[] {
  if (!existsSync(DESCRIPTORS)) return [];
  return readdirSync(DESCRIPTORS).flatMap((number) => {
    try {
      const open = readlinkSync(`${DESCRIPTORS}/${number}`);
      return open.startsWith(path) ? [open] : [];
    } catch {
      // That of the listing itself is closed.
      return [];
    }
  });
}
