/** Finds the files of the repository that documents and comments name between backticks. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { CAMPAIGNS, ROOT } from "./source.ts";

const ROOTS = ["packages", "test", "docs", "examples", "scripts", "deploy", ...CAMPAIGNS];
const ENDINGS = "tsx?|m?js|json|md|py|go|ya?ml|sh|service|conf|html|css";
/** The pattern excludes the end of a longer path or URL, and glob patterns. */
const path = (begin: string, endings: string): RegExp =>
  new RegExp(String.raw`(?<![\w./@*{}<>-])${begin}/[\w./-]*\w\.(?:${endings})(?![\w/*<{-])`, "g");
const OF_REPOSITORY = path(`(?:${ROOTS.join("|")})`, ENDINGS);
/** A source with its folder, such as `journal/port.ts`. Files that end in `.d.ts` are generated. */
const SOURCE = path(String.raw`[\w-]+`, String.raw`(?<!\.d\.)tsx?`);

const PACKAGES = readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}/src`);

/** The cited paths that do not exist, also within a command such as `node sim/run.ts`. */
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

/** The folder of a file, and all its parent folders. */
function foldersAround(file: string): string[] {
  const folder = dirname(file);
  return folder === "." ? [folder] : [folder, ...foldersAround(folder)];
}

/** The number of cited paths that are relative to the root of the repository. */
export function countPaths(prose: string): number {
  return [...prose.matchAll(OF_REPOSITORY)].length;
}
