/** The licences of packages that are part of the bundle: each asks that its text goes with its code. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { ROOT } from "../../test/tidy/source.ts";

const PACKAGE_FOLDER = /^(?<folder>(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** One text, by name, of what is bundled and of the folders in `served`; throws when a bundled package comes without a licence. */
export function licences({ outputs }: Metafile, served: readonly string[]): string {
  const sources = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const bundled = sources.flatMap((path) => PACKAGE_FOLDER.exec(path)?.groups?.["folder"] ?? []);
  const folders = new Set([...bundled, ...served]);
  const texts = new Map([...folders].map(licenceOf));
  return [...texts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, text]) => text)
    .join("\n");
}

function licenceOf(folder: string): [title: string, text: string] {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")) as Manifest;
  const file = readdirSync(join(ROOT, folder)).find((found) => /^licen[cs]e(?:\.\w+)?$/i.test(found));
  assert.ok(file !== undefined, `${folder} has no file of its licence`);
  const title = `${name} ${version} (${license ?? "see below"})`;
  const text = readFileSync(join(ROOT, folder, file), "utf8").trim();
  return [title, `${title}\n${"-".repeat(title.length)}\n\n${text}\n`];
}
