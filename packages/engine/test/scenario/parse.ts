/**
 * Reads scenario files; scenarios/README.md describes the language. This file only finds the structure: scenarios,
 * their lines, and what is indented below a line.
 */
export interface Line {
  readonly number: number;
  readonly words: readonly string[];
  /** `> ...` lines: the expected outcomes, each as its clauses. Null if there are none. */
  readonly expected: readonly (readonly string[])[] | null;
  /** Indented lines are the rows of a table. */
  readonly rows: readonly string[];
}

export interface Scenario {
  readonly name: string;
  readonly file: string;
  readonly lines: readonly Line[];
}

interface DraftLine extends Line {
  expected: string[][] | null;
  readonly rows: string[];
}

/** Lines before the first scenario are run before every scenario of the file. */
export function parseScenarios(file: string, text: string): Scenario[] {
  const given: DraftLine[] = [];
  const scenarios: { name: string; file: string; lines: DraftLine[] }[] = [];
  for (const [index, raw] of text.split("\n").entries()) {
    const content = raw.replace(/(^|\s)#.*$/, "").trimEnd();
    if (content === "") continue;
    const lines = scenarios.at(-1)?.lines ?? given;
    if (content.startsWith("scenario ")) scenarios.push({ name: content.slice(9).trim(), file, lines: [] });
    else if (content.startsWith(">")) expect(lines.at(-1), content, `${file}:${index + 1}`);
    else if (/^\s/.test(content)) lines.at(-1)!.rows.push(content.trim().replace(/\s+/g, " "));
    else lines.push({ number: index + 1, words: content.split(/\s+/), expected: null, rows: [] });
  }
  if (scenarios.length === 0) throw new Error(`${file} has no scenario`);
  return scenarios.map((scenario) => ({ ...scenario, lines: [...given, ...scenario.lines] }));
}

function expect(line: DraftLine | undefined, content: string, where: string): void {
  if (line === undefined) throw new Error(`${where}: nothing above to expect this of`);
  line.expected ??= [];
  if (content !== "> nothing")
    line.expected.push(
      content
        .slice(1)
        .split(",")
        .map((clause) => clause.trim()),
    );
}
