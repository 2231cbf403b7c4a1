/** The configuration is invalid. The message is one line that names the place and the reason. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
