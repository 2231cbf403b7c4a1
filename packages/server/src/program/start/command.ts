/** Finds out how users of this node call the command line. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns what to type before a command's name: `npx pricetime` where it is installed. A program in npx's cache is not
 * installed: it is requested as it was before, or npm would look for another package of that name.
 *
 * @param program - the path of the program that runs
 */
export function commandToType(program: string): string {
  const [cache, inside] = program.split(/(?<=[\\/]_npx[\\/][^\\/]+)[\\/]node_modules[\\/]/);
  const asked = cache === undefined || inside === undefined ? undefined : askedOfNpx(cache);
  if (asked === undefined) return "npx pricetime";
  return `npx --yes ${/^[\w./:@\\-]+$/.test(asked) ? asked : `"${asked}"`}`;
}

/** Returns what npx was asked to run, from a note in its cache; undefined when another npm made it. */
function askedOfNpx(cache: string): string | undefined {
  try {
    const { _npx: noted } = JSON.parse(readFileSync(join(cache, "package.json"), "utf8")) as Record<string, unknown>;
    const [asked] = (noted as { packages?: unknown[] } | undefined)?.packages ?? [];
    return typeof asked === "string" ? asked : undefined;
  } catch {
    return undefined;
  }
}
