/**
 * Reads settings from environment variables such as `PRICETIME_PORT=9000`. They override the file; flags override them.
 */
import { ConfigError, likeliest } from "./faults.ts";

type Kind = "text" | "number" | "fraction" | "switch" | "list";

/** Variable names without the prefix `PRICETIME_`, with the path and type of their setting. */
export const SETTINGS: Readonly<Record<string, readonly [path: string, kind: Kind]>> = {
  NODE: ["node", "text"],
  HOST: ["host", "text"],
  PORT: ["port", "number"],
  ADMIN_PORT: ["adminPort", "number"],
  TLS_CERT_FILE: ["tls.certFile", "text"],
  TLS_KEY_FILE: ["tls.keyFile", "text"],
  ADMIN_TLS_CERT_FILE: ["admin.tls.certFile", "text"],
  ADMIN_TLS_KEY_FILE: ["admin.tls.keyFile", "text"],
  DATA: ["data", "text"],
  DEMO: ["demo", "switch"],
  BOTS: ["bots", "switch"],
  SEED: ["seed", "number"],
  INTERFACE: ["interface", "text"],
  ORDER_IDS: ["orderIds", "text"],
  LIMITS: ["limits.enabled", "switch"],
  LOG_LEVEL: ["logLevel", "text"],
  CLOCK_MAX_LEAP_MS: ["clock.maxLeapMs", "number"],
  SNAPSHOT_EVERY_COMMANDS: ["snapshotEveryCommands", "number"],
  MAKER_BPS: ["fees.makerBps", "number"],
  TAKER_BPS: ["fees.takerBps", "number"],
  ADMIN_TOKEN: ["admin.token", "text"],
  ADMIN_TOKEN_FILE: ["admin.tokenFile", "text"],
  MASTER_KEY: ["masterKey", "text"],
  MASTER_KEY_FILE: ["masterKeyFile", "text"],
  PUBLIC_URL: ["publicUrl", "text"],
  SANDBOX_FOLDER: ["wallet.sandboxFolder", "text"],
  CLUSTER: ["cluster.endpoints", "list"],
  CLUSTER_PREFIX: ["cluster.prefix", "text"],
  CLUSTER_CA_FILE: ["cluster.caFile", "text"],
  CLUSTER_CERT_FILE: ["cluster.certFile", "text"],
  CLUSTER_KEY_FILE: ["cluster.keyFile", "text"],
  CLUSTER_USER: ["cluster.user", "text"],
  CLUSTER_PASSWORD: ["cluster.password", "text"],
  CLUSTER_PASSWORD_FILE: ["cluster.passwordFile", "text"],
  CLUSTER_TOKEN: ["cluster.token", "text"],
  CLUSTER_TOKEN_FILE: ["cluster.tokenFile", "text"],
  CLUSTER_ADMIN_URL: ["cluster.adminUrl", "text"],
  CLUSTER_READS: ["cluster.reads", "text"],
  CLUSTER_LIMIT_SHARE: ["cluster.limitShare", "fraction"],
  CLUSTER_MAX_STALE_MS: ["cluster.maxStaleMs", "number"],
  CLUSTER_MIRRORS: ["cluster.mirrors", "number"],
};

/** Variables that are not node settings: the path of the file, and the command line's connection. */
export const OTHERS: readonly string[] = ["CONFIG", "ADMIN", "USER", "REST", "CA", "API_KEY", "API_SECRET"];

const PREFIX = "PRICETIME_";
const SWITCH: Readonly<Record<string, boolean>> = { on: true, off: false, true: true, false: false, 1: true, 0: false };

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Matches the values of variables such as `NAME_PORT` that Kubernetes sets for a Service. No setting has such a value.
 */
const KUBERNETES_ADDRESS = /^(?:tcp|udp|sctp):\/\/[^/\s]+:[0-9]+$/;

export function isKubernetesAddress(value: string): boolean {
  return KUBERNETES_ADDRESS.test(value);
}

export interface EnvironmentSettings {
  readonly settings: readonly (readonly [path: string, value: unknown])[];
  /** One line for each ignored variable, which is unknown or contains the address of a Kubernetes Service. */
  readonly warnings: readonly string[];
}

/**
 * Reads the settings. Unknown variables are ignored with a warning, because other software may have set them. Throws
 * `ConfigError` for an invalid value of a known variable.
 */
export function readEnvironment(environment: Environment): EnvironmentSettings {
  const settings: [string, unknown][] = [];
  const warnings: string[] = [];
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith(PREFIX) || value === undefined) continue;
    const name = variable.slice(PREFIX.length);
    const setting = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;
    if (setting === undefined && !OTHERS.includes(name)) {
      const like = likeliest(name, [...Object.keys(SETTINGS), ...OTHERS]);
      const hint = like === undefined ? "" : `; did you mean ${PREFIX}${like}?`;
      warnings.push(`environment: ignored the unknown variable ${variable}${hint}`);
    } else if (isKubernetesAddress(value)) {
      warnings.push(`environment: ignored ${variable}: ${value} is the address of a Kubernetes Service, not a setting`);
    } else if (setting !== undefined) {
      settings.push([setting[0], readValue(variable, value, setting[1])]);
    }
  }
  return { settings, warnings };
}

/** Splits a comma-separated list of addresses. */
export function splitList(value: string): string[] {
  return value.split(",").map((each) => each.trim());
}

function readValue(variable: string, value: string, kind: Kind): unknown {
  if (kind === "text") return value;
  if (kind === "list") return splitList(value);
  if (kind === "fraction") {
    if (!/^[0-9]{0,3}\.?[0-9]{1,9}$/.test(value))
      throw new ConfigError(`environment: ${variable} must be a number, not '${value}'`);
    return Number(value);
  }
  if (kind === "number") {
    if (!/^[0-9]{1,15}$/.test(value))
      throw new ConfigError(`environment: ${variable} must be a whole number, not '${value}'`);
    return Number(value);
  }
  const on = Object.hasOwn(SWITCH, value) ? SWITCH[value] : undefined;
  if (on === undefined) throw new ConfigError(`environment: ${variable} must be on or off, not '${value}'`);
  return on;
}
