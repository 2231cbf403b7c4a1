/** The campaign's result as Markdown, as in RESULTS.md. */
import type { Row } from "./attack.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;

export function table(rows: readonly Row[]): string[] {
  const verdict = ({ broken }: Row): string => (broken.length === 0 ? "held" : `**BROKEN**: ${broken.join("; ")}`);
  return [
    line(["attack", "what it does", "required for other clients", "observed", "verdict"]),
    "|---|---|---|---|---|",
    ...rows.map((row) => line([row.attack, row.does, row.bound, row.saw, verdict(row)])),
  ];
}
