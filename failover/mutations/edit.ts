/** A change of a source file: `from`, which occurs once, is replaced by `to`. */
export interface Edit {
  /** The path relative to the root of the repository. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Throws if a text does not occur exactly once: the bug no longer fits the program. */
export function altered(source: string, edits: readonly Edit[]): string {
  return edits.reduce((text, { file, from, to }) => {
    const pieces = text.split(from);
    if (pieces.length !== 2) throw new Error(`${file} has ${pieces.length - 1} times: ${from}`);
    return pieces.join(to);
  }, source);
}
