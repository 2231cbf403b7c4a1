/** Files of the repository that documents and comments name between backticks. */
import { CAMPAIGNS } from "./source.ts";

const ROOTS = ["packages", "test", "docs", "examples", "scripts", "deploy", ...CAMPAIGNS].join("|");
const ENDINGS = "tsx?|m?js|json|md|py|go|ya?ml|sh|service|conf|html|css";
/** From the root of the repository, to a file's ending; not the tail of a longer path or of an address. */
const PATH = new RegExp(String.raw`(?<![\w./@-])(?:${ROOTS})/[\w./-]*\w\.(?:${ENDINGS})(?![\w/*<{-])`, "g");

/** Also those within a command, as in `node sim/run.ts`. */
export function citedPaths(prose: string): string[] {
  return [...prose.matchAll(/(?<!`)`([^`]+)`(?!`)/g)].flatMap(([, code = ""]) => code.match(PATH) ?? []);
}
