/** The little Markdown that tables are made of. */

export const code = (text: string): string => `\`${text}\``;

export function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(inCell).join(" | ")} |`.replaceAll("|  |", "| |");
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}

/** A bar would end the cell, inside of code too. */
function inCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
