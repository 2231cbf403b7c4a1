/** The command cannot be done. The message is one line for the person at the terminal. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
}
