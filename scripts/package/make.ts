/**
 * `npm run package [-- FOLDER]`: creates the package in `dist/package` with its tarball beside it, which `npx` runs and
 * `npm install` installs on a machine without this repository.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ROOT } from "../../test/tidy/source.ts";
import { SERVED_PACKAGES } from "./assets.ts";
import { copyDeclarations } from "./declarations.ts";
import { licences } from "./licences.ts";
import { packageManifest, rootManifest } from "./manifest.ts";
import { makeProgram } from "./program.ts";
import { buildTerminal } from "./terminal.ts";

const DOCUMENTS = ["README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];
/** The folders that documents link to, relative to each other. */
const DOCUMENT_FOLDERS = ["docs", "deploy", "examples"];

const out = resolve(process.argv[2] ?? join(ROOT, "dist"));
const folder = join(out, "package");
rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, "bin"), { recursive: true });

run("node_modules/typescript/bin/tsc", "--build", "packages/server", "packages/protocol", "packages/lab");
const metafile = await makeProgram(folder);
const inTerminal = await buildTerminal(folder);
copyDeclarations(
  ["server/index.d.ts", "protocol/index.d.ts", "lab/index.d.ts", "lab/hold/hold.d.ts"],
  join(folder, "types"),
);
for (const name of [...DOCUMENTS, ...DOCUMENT_FOLDERS]) {
  if (existsSync(join(ROOT, name))) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
}
writeFileSync(join(folder, "THIRD-PARTY-LICENSES.txt"), licences(metafile, [...SERVED_PACKAGES, ...inTerminal]));
writeFileSync(join(folder, "package.json"), `${JSON.stringify(packageManifest(), null, 2)}\n`);
const command = join(folder, "bin/pricetime.cjs");
cpSync(join(ROOT, "scripts/package/launcher.cjs"), command);
chmodSync(command, 0o755);

const tarball = join(out, `pricetime-${rootManifest().version}.tgz`);
run(npm(), "pack", "--silent", "--pack-destination", out, folder);
process.stdout.write(`${tarball}\n`);

/** Runs a script with this Node.js; exits if the script fails. */
function run(script: string, ...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [resolve(ROOT, script), ...args], {
    cwd: ROOT,
    stdio: ["ignore", process.stderr, process.stderr],
  });
  if (status !== 0) throw new Error(`${script} ${args.join(" ")} failed`);
}

/** The npm that runs this script: on Windows, programs cannot start it by name. */
function npm(): string {
  const path = process.env["npm_execpath"];
  if (path === undefined) throw new Error("run it by npm: npm run package");
  return path;
}
