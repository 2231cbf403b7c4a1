/** Collects the licenses of bundled packages, which require that their text is included. */
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
  readonly author?: unknown;
}

/**
 * One text by package name, of bundled packages and of the folders in `served`; throws if a bundled package has no
 * license.
 */
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
  const manifest = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")) as Manifest;
  const { name, version, license } = manifest;
  const file = readdirSync(join(ROOT, folder)).find((found) => /^licen[cs]e(?:\.\w+)?$/i.test(found));
  const title = `${name} ${version} (${license ?? "see below"})`;
  const text = file === undefined ? mitOf(manifest) : readFileSync(join(ROOT, folder, file), "utf8").trim();
  assert.ok(text !== undefined, `${folder} has no file of its licence`);
  return [title, `${title}\n${"-".repeat(title.length)}\n\n${text}\n`];
}

/** A file with the terms of the MIT license, which are the same in every package. */
const HAS_MIT_TERMS = "node_modules/preact/LICENSE";

/**
 * The license of a package that names MIT and its author without including the text; undefined if one of them is
 * missing.
 */
function mitOf({ license, author }: Manifest): string | undefined {
  if (license !== "MIT" || typeof author !== "string") return undefined;
  const text = readFileSync(join(ROOT, HAS_MIT_TERMS), "utf8");
  const start = text.indexOf("Permission is hereby granted");
  assert.ok(start > 0, `${HAS_MIT_TERMS} does not hold the terms of MIT`);
  return `Copyright (c) ${author}\n\n${text.slice(start).trim()}`;
}
