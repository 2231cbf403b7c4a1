/**
 * `node --import plant.ts?bug=NAME&wakes=FILE`: the process and its threads run the program with this bug. The text of
 * a source file is changed while it is loaded; the file itself stays unchanged. The process exits if the text does not
 * occur. A planted bug may call `bugIsAwake()`, which checks whether FILE exists, so that a cluster can start before
 * the bug takes effect.
 */
import { existsSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { ROOT } from "@pricetime/testkit/venue";
import { BUGS } from "./bugs.ts";
import { altered, type Edit } from "./edit.ts";

const { searchParams } = new URL(import.meta.url);
const name = searchParams.get("bug");
const wakes = searchParams.get("wakes");
const bug = BUGS.find((each) => each.name === name);
if (bug === undefined) throw new Error(`no such bug: ${name}`);

const edits = new Map<string, Edit[]>();
for (const edit of bug.edits) {
  const url = new URL(edit.file, `file://${ROOT}/`).href;
  edits.set(url, [...(edits.get(url) ?? []), edit]);
}

Object.assign(globalThis, { bugIsAwake: () => wakes === null || existsSync(wakes) });

registerHooks({
  load(url, context, nextLoad) {
    const planted = edits.get(url);
    if (planted === undefined) return nextLoad(url, context);
    const source = altered(readFileSync(fileURLToPath(url), "utf8"), planted);
    return { ...nextLoad(url, context), source };
  },
});
