/** The command failed. The message is one line for the person at the terminal. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
}
