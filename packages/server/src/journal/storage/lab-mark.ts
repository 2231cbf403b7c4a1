/**
 * A data folder is a lab's or a node's, from its first start to its end: in a lab time is made up, commits wait for no
 * disk, and the journal is cut, so that neither may go on where the other was.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFile, makePrivateFolder } from "../../platform/disk/private-file.ts";
import { dataPaths } from "./data-paths.ts";

/** The file that says so. */
export const LAB_MARK_FILE = "lab.json";
const MARK = "pricetime lab";

/** The folder was made by a lab and is opened without, or the other way round. */
export class FolderOfOtherKind extends Error {
  override readonly name = "FolderOfOtherKind";
}

/** Whether the folder was made by a lab. */
export function isOfLab(folder: string): boolean {
  return existsSync(join(folder, LAB_MARK_FILE));
}

/** Throws `FolderOfOtherKind` when the folder was made by a lab. */
export function checkIsNoLab(folder: string): void {
  if (!isOfLab(folder)) return;
  throw new FolderOfOtherKind(
    `${folder} is the data folder of a lab. Start it with --lab, or choose another folder with --data`,
  );
}

/** Throws `FolderOfOtherKind` when the folder holds an exchange that no lab made. */
export function checkIsLab(folder: string): void {
  if (isOfLab(folder)) {
    checkMark(folder);
    return;
  }
  if (!existsSync(dataPaths(folder).journal)) return;
  throw new FolderOfOtherKind(
    `${folder} is the data folder of an exchange, which a lab must not change. Start it without --lab, or choose another folder with --data`,
  );
}

/** Marks a folder as a lab's before anything of the exchange is there. */
export function markAsLab(folder: string): void {
  if (isOfLab(folder)) return;
  makePrivateFolder(folder);
  const path = join(folder, LAB_MARK_FILE);
  makePrivateFile(path);
  writeFileSync(path, `${JSON.stringify({ kind: MARK })}\n`);
}

/** Throws `FolderOfOtherKind` when a file of that name is somebody else's. */
function checkMark(folder: string): void {
  const path = join(folder, LAB_MARK_FILE);
  const isOurs = (): boolean => (JSON.parse(readFileSync(path, "utf8")) as { kind?: unknown } | null)?.kind === MARK;
  try {
    if (isOurs()) return;
  } catch {
    // The throw below reports it: whatever the file is, no lab wrote it.
  }
  throw new FolderOfOtherKind(`${path} is not a lab's marker file. Remove it, or choose another folder with --data`);
}
