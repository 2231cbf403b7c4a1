/** Copies the master key of a data folder, only on request, because a backup with it opens all secrets. */
import { readFileSync } from "node:fs";
import { masterKeyPath } from "../../platform/config/master-key.ts";
import { writePrivateFile } from "../../platform/config/private-file.ts";
import { CopyRefused } from "./refused.ts";

/** Throws `CopyRefused` when the folder has no key: it is configured elsewhere. */
export function copyKey(fromFolder: string, toFolder: string): true {
  const path = masterKeyPath(fromFolder);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const why =
      (error as NodeJS.ErrnoException).code === "ENOENT"
        ? "does not exist. The key is configured elsewhere: back it up from there, without --with-key"
        : "cannot be read";
    throw new CopyRefused(`${path} ${why}`, { cause: error });
  }
  writePrivateFile(masterKeyPath(toFolder), text);
  return true;
}
