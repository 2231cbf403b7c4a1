/** A backup or a restore is impossible. The message is one line for the operator. */
export class CopyRefused extends Error {
  override readonly name = "CopyRefused";
}
