/** `<data>/admin.json`: where the admin API listens and its token, for the command line. Mode 0600. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writePrivateFile } from "./private-file.ts";
import { randomKey } from "./random-key.ts";

const schema = z.object({ admin: z.string(), adminToken: z.string().min(16) });
export type AdminFile = z.output<typeof schema>;

/** Files of a data folder that name the admin API; `demo.json` has the same two fields. */
const FILES: readonly string[] = ["admin.json", "demo.json"];

/** What the data folder says of its admin API, undefined when it says nothing that can be used. */
export function readAdminFile(dataFolder: string): AdminFile | undefined {
  for (const file of FILES) {
    const found = readOne(join(dataFolder, file));
    if (found !== undefined) return found;
  }
  return undefined;
}

function readOne(path: string): AdminFile | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function writeAdminFile(dataFolder: string, file: AdminFile): void {
  writePrivateFile(join(dataFolder, "admin.json"), `${JSON.stringify(file, null, 2)}\n`);
}

/** The admin token: the configured one, else the one kept in the data folder, else a new one. */
export function adminToken(configured: string | null, dataFolder: string): string {
  return configured ?? readOne(join(dataFolder, "admin.json"))?.adminToken ?? randomKey();
}
