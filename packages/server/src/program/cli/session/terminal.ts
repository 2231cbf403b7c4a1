/** The environment that the command line runs in. */
export interface Terminal {
  /** Prints to standard output, with a line end. */
  readonly print: (text: string) => void;
  /** Prints to standard error. */
  readonly complain: (text: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * Calls `task` at the first Ctrl-C instead of ending the program, until the returned function is called. Absent: there
   * is no keyboard.
   */
  readonly onInterrupt?: (task: () => void) => () => void;
  /** Runs a node with these flags until it is told to stop; resolves to the exit code. */
  readonly serve: (argv: readonly string[]) => Promise<number>;
}
