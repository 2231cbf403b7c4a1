/**
 * The fenced blocks of a Markdown page, with marks before them in HTML comments, which readers of the page do not see:
 *
 *     <!-- not run: REASON -->    cannot be run here
 *     <!-- expect: TEXT -->       prints TEXT; may be repeated
 *     <!-- until: TEXT -->        runs until it has printed TEXT, and is then ended
 *     <!-- serves -->             starts a node for the rest of the page (README's: for all pages)
 *     <!-- file: NAME -->         is saved to a file of that name instead of being run
 *     <!-- needs: A, B -->        skipped on machines without A or B; see `../tools.ts`
 *     <!-- signer -->             YAML for an EVM network's signer, not for a node
 */
import assert from "node:assert/strict";

export interface Block {
  readonly page: string;
  /** Line of the opening fence, counted from 1. */
  readonly line: number;
  /** The first word after the fence, "" if there is none. */
  readonly language: string;
  readonly text: string;
  readonly notRun: string | undefined;
  readonly expected: readonly string[];
  readonly until: string | undefined;
  readonly serves: boolean;
  readonly file: string | undefined;
  readonly needs: readonly string[];
  readonly forSigner: boolean;
}

interface Mark {
  readonly name: string;
  readonly value: string;
}

const FENCE = /^(?<indent> *)(?<fence>`{3,}|~{3,})(?<info>.*)$/;
const MARK = /^ *<!-- *(?<name>not run|expect|until|serves|file|needs|signer)(?:: *(?<value>.*?))? *-->$/;
const WITHOUT_VALUE = ["serves", "signer"];

/** Throws for a fence that is not closed and for a mark without a block. */
export function blocksOf(page: string, markdown: string): Block[] {
  const lines = markdown.split("\n");
  const blocks: Block[] = [];
  let marks: Mark[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const where = `${page}:${at + 1}`;
    const opening = FENCE.exec(line)?.groups;
    if (opening !== undefined) {
      const end = lines.findIndex((each, index) => index > at && each.trim() === opening["fence"]);
      assert.ok(end > at, `${where}: the fence is not closed`);
      const inner = lines.slice(at + 1, end).map((each) => withoutIndent(each, opening["indent"] ?? ""));
      blocks.push({ page, line: at + 1, ...said(opening["info"] ?? "", marks), text: `${inner.join("\n")}\n` });
      marks = [];
      at = end;
      continue;
    }
    assert.ok(!isIndentedBlock(lines, at), `${where}: nobody sees what language an indented block is: fence it`);
    const mark = MARK.exec(line)?.groups;
    if (mark !== undefined) marks.push(readMark(mark, where));
    else assert.ok(line.trim() === "" || marks.length === 0, `${where}: no block follows the mark`);
  }
  assert.equal(marks.length, 0, `${page}: no block follows the last mark`);
  return blocks;
}

/** Four spaces after an empty line are a code block, except within a list. */
function isIndentedBlock(lines: readonly string[], at: number): boolean {
  if (!/^ {4,}\S/.test(lines[at] ?? "") || lines[at - 1]?.trim() !== "") return false;
  const before = lines.slice(0, at).findLast((line) => line.trim() !== "");
  return !/^(?: |[-*+] |\d+[.)] )/.test(before ?? "");
}

const withoutIndent = (line: string, indent: string): string =>
  line.startsWith(indent) ? line.slice(indent.length) : line.trimStart();

function readMark({ name = "", value = "" }: Record<string, string | undefined>, where: string): Mark {
  assert.equal(value === "", WITHOUT_VALUE.includes(name), `${where}: '${name}' says too little or too much`);
  return { name, value };
}

function said(info: string, marks: readonly Mark[]): Omit<Block, "page" | "line" | "text"> {
  const all = (name: string): string[] => marks.filter((mark) => mark.name === name).map(({ value }) => value);
  return {
    language: info.trim().split(/\s/)[0] ?? "",
    notRun: all("not run")[0],
    expected: all("expect"),
    until: all("until")[0],
    serves: all("serves").length > 0,
    file: all("file")[0],
    needs: all("needs").flatMap((each) => each.split(/ *, */)),
    forSigner: all("signer").length > 0,
  };
}
