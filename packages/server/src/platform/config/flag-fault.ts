/** Describes an invalid flag or argument in one sentence, made from commander's error. */
import type { CommanderError } from "commander";

type Rule = readonly [pattern: RegExp, sentence: (...parts: string[]) => string];

const RULES: readonly Rule[] = [
  [
    /^option '(--?[\w-]+)[^']*' argument '(.*)' is invalid\. (.*)$/,
    (_, flag, value, why) => `${flag}: ${wish(why)}, not '${value}'`,
  ],
  [
    /^command-argument value '(.*)' is invalid for argument '(.*)'\. (.*)$/,
    (_, value, name, why) => `${name}: ${wish(why)}, not '${value}'`,
  ],
  [/^required option '([^']*)' not specified$/, (_, flags) => `${flags} is required`],
  [/^missing required argument '(.*)'$/, (_, name) => `missing argument <${name}>`],
  [/^option '([^']*)' argument missing$/, (_, flags) => `${flags}: missing value`],
  [
    /^too many arguments.* Expected (\d+) arguments? but got (\d+)\.$/,
    (_, most, got) => `too many arguments: ${got}, at most ${most} expected`,
  ],
];

export function flagFault({ message }: Pick<CommanderError, "message">): string {
  const [said = "", hint = ""] = message.replace(/^error: /, "").split(/\n\(/);
  const line = said.replaceAll("\n", " ").trim();
  for (const [pattern, sentence] of RULES) {
    const found = pattern.exec(line);
    if (found !== null) return sentence(...found);
  }
  return hint === "" ? line : `${line}; ${hint.replace(/^Did/, "did").replace(/\)\s*$/, "")}`;
}

/** Says what the value must be. */
function wish(why = ""): string {
  const text = why.trim().replace(/\.$/, "");
  const choices = /^Allowed choices are (.*)$/.exec(text)?.[1];
  return choices === undefined ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : `one of ${choices}`;
}
