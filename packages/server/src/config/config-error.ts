/** The configuration cannot be used. The message is one line that says where and why. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
