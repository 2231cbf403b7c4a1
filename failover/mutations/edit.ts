/** A change of a source file: `from`, which stands there once, becomes `to`. */
export interface Edit {
  /** The path from the root of the repository. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Throws when a text is not there exactly once: the bug does not fit the program any more. */
export function altered(source: string, edits: readonly Edit[]): string {
  return edits.reduce((text, { file, from, to }) => {
    const pieces = text.split(from);
    if (pieces.length !== 2) throw new Error(`${file} has ${pieces.length - 1} times: ${from}`);
    return pieces.join(to);
  }, source);
}
