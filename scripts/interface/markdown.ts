/** The Markdown elements that tables need. */

export const code = (text: string): string => (text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``);

export function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(inCell).join(" | ")} |`.replaceAll("|  |", "| |");
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}

/** A vertical bar would end the cell, even inside code. */
function inCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
