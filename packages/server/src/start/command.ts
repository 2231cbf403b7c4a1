/** How the command line is called by who started this node. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What to type before a command's name: `npx pricetime` where it is installed. What npx keeps in its cache is not: there
 * it is asked for as it was, or npm would look for a package of that name elsewhere.
 *
 * @param program - the path of the program that runs
 */
export function commandToType(program: string): string {
  const [cache, inside] = program.split(/(?<=[\\/]_npx[\\/][^\\/]+)[\\/]node_modules[\\/]/);
  const asked = cache === undefined || inside === undefined ? undefined : askedOfNpx(cache);
  if (asked === undefined) return "npx pricetime";
  return `npx --yes ${/^[\w./:@\\-]+$/.test(asked) ? asked : `"${asked}"`}`;
}

/** What npx was asked to run, as it notes in its cache; undefined when it is another npm's. */
function askedOfNpx(cache: string): string | undefined {
  try {
    const { _npx: noted } = JSON.parse(readFileSync(join(cache, "package.json"), "utf8")) as Record<string, unknown>;
    const [asked] = (noted as { packages?: unknown[] } | undefined)?.packages ?? [];
    return typeof asked === "string" ? asked : undefined;
  } catch {
    return undefined;
  }
}
