/**
 * A node from code, in the process of who asks: `const node = await startNode(loadConfig({ flags: { data: "./venue" } }))`.
 * It takes the same settings as the program, prints nothing but its log, and hears no signals: `node.stop()` ends it.
 */
export { ConfigError } from "./config/config-error.ts";
export { type Config, type ConfigSources, loadConfig } from "./config/config.ts";
export type { Flags } from "./config/flags.ts";
export { type Node, startNode } from "./main.ts";
