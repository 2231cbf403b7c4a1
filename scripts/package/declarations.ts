/** Copies the type declarations of the package's exports, and of nothing else. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ROOT } from "../../test/tidy/source.ts";

/** The output of `tsc --build`, with a folder for each of our packages. */
const MADE = join(ROOT, ".types");
const SPECIFIER = /(?<before>\bfrom\s*"|\bimport\(\s*")(?<specifier>[^"]+)(?<after>")/g;

/**
 * Copies the declarations `entries` (`server/index.d.ts`) and everything that they import. Throws at an external
 * package.
 */
export function copyDeclarations(entries: readonly string[], folder: string): void {
  const done = new Set<string>();
  const copy = (file: string): void => {
    if (done.has(file)) return;
    done.add(file);
    const text = readFileSync(join(MADE, file), "utf8").replaceAll(
      SPECIFIER,
      (_, before: string, specifier: string, after: string) => {
        const to = declarationOf(file, specifier);
        copy(to);
        const path = relative(dirname(file), to)
          .replaceAll("\\", "/")
          .replace(/\.d\.ts$/, ".js");
        return `${before}${path.startsWith(".") ? path : `./${path}`}${after}`;
      },
    );
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  for (const entry of entries) copy(entry);
}

function declarationOf(from: string, specifier: string): string {
  const own = /^@pricetime\/(?<name>\w+)$/.exec(specifier)?.groups?.["name"];
  if (own !== undefined) return `${own}/index.d.ts`;
  assert.ok(specifier.startsWith("."), `${from}: what is exported leads to the types of '${specifier}'`);
  return join(dirname(from), specifier.replace(/\.ts$/, ".d.ts"));
}
