/** A backup or a restore that cannot be. The message is one line for the operator. */
export class CopyRefused extends Error {
  override readonly name = "CopyRefused";
}
