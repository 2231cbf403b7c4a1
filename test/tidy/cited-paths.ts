/** Files of the repository that documents and comments name between backticks. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { CAMPAIGNS, ROOT } from "./source.ts";

const ROOTS = ["packages", "test", "docs", "examples", "scripts", "deploy", ...CAMPAIGNS];
const ENDINGS = "tsx?|m?js|json|md|py|go|ya?ml|sh|service|conf|html|css";
/** Not the tail of a longer path or of an address, and no pattern. */
const path = (begin: string, endings: string): RegExp =>
  new RegExp(String.raw`(?<![\w./@*{}<>-])${begin}/[\w./-]*\w\.(?:${endings})(?![\w/*<{-])`, "g");
const OF_REPOSITORY = path(`(?:${ROOTS.join("|")})`, ENDINGS);
/** A source in a folder that the reader knows: `journal/port.ts`. What ends in `.d.ts` is made. */
const SOURCE = path(String.raw`[\w-]+`, String.raw`(?<!\.d\.)tsx?`);

const PACKAGES = readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}/src`);

/** Those that lead nowhere, also within a command, as in `node sim/run.ts`. */
export function absentPaths(from: string, prose: string): string[] {
  const code = [...prose.matchAll(/(?<!`)`([^`]+)`(?!`)/g)].map(([, text = ""]) => text);
  const isThere = (folder: string, cited: string): boolean => existsSync(join(ROOT, folder, cited));
  const ofRepository = code.flatMap((text) => text.match(OF_REPOSITORY) ?? []);
  const sources = code.flatMap((text) => text.match(SOURCE) ?? []).filter((cited) => !ofRepository.includes(cited));
  return [
    ...ofRepository.filter((cited) => !isThere("", cited)),
    ...sources.filter((cited) => ![...foldersAround(from), ...PACKAGES].some((folder) => isThere(folder, cited))),
  ];
}

/** The folder of a file, and all that it stands in. */
function foldersAround(file: string): string[] {
  const folder = dirname(file);
  return folder === "." ? [folder] : [folder, ...foldersAround(folder)];
}

/** How many paths from the root of the repository are named. */
export function countPaths(prose: string): number {
  return [...prose.matchAll(OF_REPOSITORY)].length;
}
