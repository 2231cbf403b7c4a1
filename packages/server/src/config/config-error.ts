/** The configuration cannot be used. The message is one line and says where and why. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
