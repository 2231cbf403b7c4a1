/** The command failed. The message is one line for the user. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
  readonly exitCode: number;

  constructor(message: string, options?: ErrorOptions, exitCode = 1) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
