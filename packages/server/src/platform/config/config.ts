/**
 * The configuration of a node, from defaults, file, environment and flags (later ones override earlier ones). Also
 * defines the settings that must be equal on all nodes of a cluster.
 */
import { resolve } from "node:path";
import type { AssetSpec, ExchangeFilters, SharedSetting, SymbolSpec } from "@pricetime/engine";
import { VENUE_INTERFACES } from "@pricetime/protocol";
import type { z } from "zod";
import { ConfigError, firstFault, pathText, schemaFault, valueAt } from "./faults.ts";
import { type ClusterConfig, clusterConfig } from "./cluster-config.ts";
import { type ConfigFile, readConfigFile, type Settings, withCurrentSettings } from "./config-file.ts";
import { type Environment, isKubernetesAddress, readEnvironment } from "./environment.ts";
import type { Flags } from "./flags.ts";
import { withPlainFilters } from "./interface-filters.ts";
import { asLabSection, type LabSettings } from "./lab-schema.ts";
import { MASTER_KEY, masterKeyCheck, secret, TOKEN, TOKEN_RULE } from "./master-key.ts";
import { type FileConfig, fileSchema, type TlsConfig, tlsFiles, type TlsFiles } from "./schema.ts";
import { createHash } from "node:crypto";

/** Maximum number of characters of an invalid value shown in a message. */
const MOST_SHOWN = 60;
const MASTER_KEY_RULE = "must be 64 hex digits. Create one with `openssl rand -hex 32`";

const AGENTS_NEED_BOTS = "lab.agents: agents need the demo's bots. Turn on demo and bots";
const LAB_IS_ALONE = "lab: a lab cannot be a node of a cluster. Remove cluster or lab";
const TLS_NEEDS_A_NAME =
  "admin.tls: other nodes connect to this admin port by the name in its certificate. Set cluster.adminUrl to a URL with that name";
const NODE_NEEDS_A_NAME = "node: a cluster node needs a unique name. Set it with --node n1, or with node: in the file";

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

/** A mail server. */
export interface SmtpConfig {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly requireTls: boolean;
  /** Null if the server requires no login. */
  readonly login: { readonly user: string; readonly password: string } | null;
}

/** Settings that have the same form here as in the file. */
type SameInFile =
  | (
      | "node"
      | "host"
      | "port"
      | "adminPort"
      | "demo"
      | "seed"
      | "snapshotEveryCommands"
      | "interface"
      | "orderIds"
      | "http"
    )
  | ("streams" | "clock" | "fees" | "wallet" | "accounts" | "branding" | "tradingRules" | "proofs" | "reports");

/** The complete, validated and frozen configuration of a node. */
export interface Config extends Frozen<Pick<FileConfig, SameInFile>> {
  readonly limits: Frozen<Required<FileConfig["limits"]>>;
  /** TLS of the client port. Null: plain HTTP. */
  readonly tls: TlsConfig | null;
  /** TLS of the admin port. Null: plain HTTP. */
  readonly adminTls: TlsFiles | null;
  /** The absolute path of the data folder. */
  readonly dataFolder: string;
  readonly bots: boolean;
  readonly logLevel: Exclude<FileConfig["logLevel"], "auto">;
  /** Whether the log goes to a terminal. */
  readonly isTerminal: boolean;
  /** Null: a token is generated at each start and written to `<data>/admin.json`. */
  readonly adminToken: string | null;
  /** Host names of the admin port that are allowed in addition to loopback. */
  readonly adminHosts: readonly string[];
  /** The base URL of links in emails to operators, without a trailing slash. Null: the admin port on loopback. */
  readonly adminUrl: string | null;
  /** Null: the node generates a key and stores it in `<data>/master.key`. */
  readonly masterKey: string | null;
  /** The base URL of links in emails, without a trailing slash. Null: the node's own address. */
  readonly publicUrl: string | null;
  /** If `smtp` is null, emails stay in the outbox. */
  readonly email: { readonly from: string; readonly smtp: SmtpConfig | null };
  /** Null: the exchange filters are left unchanged. */
  readonly exchangeFilters: ExchangeFilters | null;
  /** Assets and symbols to list at startup if they are not listed yet. */
  readonly assets: readonly AssetSpec[];
  readonly symbols: readonly SymbolSpec[];
  /** Null if the node is not a lab. */
  readonly lab: LabConfig | null;
  /** Null on a single node. */
  readonly cluster: Frozen<ClusterConfig> | null;
  /** Whether this cluster node replaces the cluster's shared settings with its own at startup. */
  readonly adoptsSettings: boolean;
  /** Warnings to log at startup, one line each. */
  readonly warnings: readonly string[];
}

/** The configuration of a lab, which is a node for experiments. docs/decisions/0046. */
export interface LabConfig {
  readonly clock: LabSettings["clock"];
  /** The clock's start time. Null: the start of 2026 with a manual clock, otherwise the machine's time. */
  readonly startMs: number | null;
  readonly speed: number;
  /** The clock against which request timestamps are checked: the lab's, the machine's, or none. */
  readonly timing: LabSettings["timing"];
  readonly history: LabSettings["history"];
  /** Agents that trade from the start, in addition to the demo's bots. */
  readonly agents: Frozen<LabSettings["agents"]>;
  /** Whether the data folder is deleted at the end, because none was configured. */
  readonly isTemporary: boolean;
}

export interface ConfigSources {
  readonly flags?: Flags;
  readonly environment?: Environment;
  /** The folder against which relative paths are resolved. Default: the working folder. */
  readonly folder?: string;
  /** Whether the log goes to a terminal. Default: false. */
  readonly isTerminal?: boolean;
}

/** Loads and validates the configuration. Throws a one-line `ConfigError`. */
export function loadConfig(sources: ConfigSources = {}): Config {
  const { flags = {}, environment = {}, folder = process.cwd(), isTerminal = false } = sources;
  const fromVariable = environment["PRICETIME_CONFIG"];
  const name =
    flags.config ?? (fromVariable !== undefined && isKubernetesAddress(fromVariable) ? undefined : fromVariable);
  const { file, warnings: ofFile = [] } =
    name === undefined ? {} : withCurrentSettings(readConfigFile(resolve(folder, name), name), name);
  const settings = file?.settings ?? {};
  const { settings: fromEnvironment, warnings: ofEnvironment } = readEnvironment(environment);
  for (const [path, value] of [...fromEnvironment, ...flagSettings(flags)]) setPath(settings, path, value);
  if (Array.isArray(settings["symbols"])) settings["symbols"] = settings["symbols"].map(withPlainFilters);
  if (settings["lab"] !== undefined) settings["lab"] = asLabSection(settings["lab"]);
  const checked = fileSchema.safeParse(settings);
  const issue = checked.error === undefined ? undefined : firstFault(checked.error);
  if (issue !== undefined) throw new ConfigError(faultIn(issue, settings, file, name));
  if (settings["cluster"] !== undefined && settings["node"] === undefined) throw new ConfigError(NODE_NEEDS_A_NAME);
  const lab = labConfig((checked.data as FileConfig).lab, settings["data"] === undefined);
  if (lab !== null && settings["cluster"] !== undefined) throw new ConfigError(LAB_IS_ALONE);
  const config = complete(checked.data as FileConfig, folder, isTerminal);
  if (lab !== null && lab.agents.length > 0 && !config.bots) throw new ConfigError(AGENTS_NEED_BOTS);
  return freeze({
    ...config,
    lab,
    adoptsSettings: flags.adoptSettings === true,
    warnings: [...ofFile, ...ofEnvironment],
  });
}

function labConfig(settings: LabSettings, isTemporary: boolean): LabConfig | null {
  if (!settings.enabled) return null;
  const { clock, clockStart = null, clockSpeed, timing, history, agents } = settings;
  if (clockSpeed !== undefined && clock !== "scaled")
    throw new ConfigError("lab.clockSpeed: only a scaled clock has a speed. Set lab.clock to scaled");
  return { clock, startMs: clockStart, speed: clockSpeed ?? 1, timing, history, agents, isTemporary };
}

/** The settings of lab flags. Flags for clock and history imply a lab. */
function labFlags({ lab, clock, clockStart, clockSpeed, timing, history }: Flags): [string, unknown][] {
  const said = Object.entries({ clock, clockStart, clockSpeed, timing, history }).filter(([, of]) => of !== undefined);
  return [["lab.enabled", lab], ...said.map(([key, value]): [string, unknown] => [`lab.${key}`, value])];
}

function flagSettings(flags: Flags): [path: string, value: unknown][] {
  const said: [string, unknown][] = [
    ["node", flags.node],
    ["cluster.endpoints", flags.cluster],
    ["port", flags.port],
    ["tls.certFile", flags.tlsCert],
    ["tls.keyFile", flags.tlsKey],
    ["adminPort", flags.adminPort],
    ["host", flags.host],
    ["data", flags.data],
    ["demo", flags.demo],
    ["bots", flags.bots === undefined ? undefined : flags.bots === "on"],
    ["seed", flags.seed],
    ["interface", flags.interface],
    ["orderIds", flags.orderIds],
    ["limits.enabled", flags.limits === undefined ? undefined : flags.limits === "on"],
    ...labFlags(flags),
  ];
  return said.filter(([, value]) => value !== undefined);
}

/** `setPath(s, "a.b", v)` sets s.a.b = v. If s.a is not a section, nothing is set, and the schema rejects s.a. */
function setPath(settings: Settings, path: string, value: unknown): void {
  const [key = "", ...inner] = path.split(".");
  if (inner.length === 0) {
    settings[key] = value;
    return;
  }
  // The file contains `lab: true`, and there is a flag for the lab.
  if (typeof settings[key] === "boolean") settings[key] = {};
  const section = (settings[key] ??= {});
  if (typeof section === "object" && section !== null) setPath(section as Settings, inner.join("."), value);
}

/**
 * Formats an error: `pricetime.yaml:3: symbols[2].filters.lotSize: ...`, with the line number if the value is in the
 * file.
 */
function faultIn(issue: z.core.$ZodIssue, settings: Settings, file: ConfigFile | undefined, name = "settings"): string {
  const where = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0] ?? ""] : issue.path;
  const line = file?.line(where);
  const at = line === undefined ? name : `${name}:${line}`;
  const isSecret = /token|masterKey|password|rpcUrl/i.test(pathText(where));
  const value = isSecret ? undefined : JSON.stringify(valueAt(settings, issue.path))?.slice(0, MOST_SHOWN);
  const isShown = value !== undefined && issue.code !== "unrecognized_keys" && issue.code !== "custom";
  return `${at}: ${schemaFault(issue, settings, fileSchema)}${isShown ? `, not ${value}` : ""}`;
}

function complete(
  file: FileConfig,
  folder: string,
  isTerminal: boolean,
): Omit<Config, "lab" | "adoptsSettings" | "warnings"> {
  if (file.bots === true && !file.demo) throw new ConfigError("bots: the bots need the demo. Turn on demo");
  const {
    data,
    bots,
    admin,
    logLevel,
    masterKey,
    masterKeyFile,
    publicUrl,
    email,
    exchangeFilters,
    cluster,
    tls,
    lab: _,
    ...rest
  } = file;
  const adminToken = secret(admin.token, admin.tokenFile, folder, "admin.tokenFile");
  const master = secret(masterKey, masterKeyFile, folder, "masterKeyFile");
  if (adminToken !== null && !TOKEN.test(adminToken)) throw new ConfigError(`admin.token: ${TOKEN_RULE}`);
  if (master !== null && !MASTER_KEY.test(master)) throw new ConfigError(`masterKey: ${MASTER_KEY_RULE}`);
  if (admin.tls !== undefined && cluster !== undefined && cluster.adminUrl === undefined)
    throw new ConfigError(TLS_NEEDS_A_NAME);
  const { sandboxFolder } = rest.wallet;
  const { logoFile } = rest.branding;
  return {
    ...rest,
    ...sharedLimits(file, cluster?.limitShare ?? 1),
    wallet: { ...rest.wallet, ...(sandboxFolder && { sandboxFolder: resolve(folder, sandboxFolder) }) },
    branding: { ...rest.branding, ...(logoFile && { logoFile: resolve(folder, logoFile) }) },
    dataFolder: resolve(folder, data),
    bots: bots ?? file.demo,
    logLevel: logLevel !== "auto" ? logLevel : file.demo && isTerminal ? "warn" : "info",
    isTerminal,
    tls: tlsFiles(tls, "tls", folder),
    adminTls: tlsFiles(admin.tls, "admin.tls", folder),
    adminToken,
    adminHosts: admin.hosts,
    adminUrl: admin.url === undefined ? null : withoutLastSlashes(admin.url),
    masterKey: master,
    publicUrl: publicUrl === undefined ? null : withoutLastSlashes(publicUrl),
    email: { from: email.from, smtp: email.smtp === undefined ? null : smtpConfig(email.smtp, folder) },
    exchangeFilters: exchangeFilters ?? null,
    cluster: cluster === undefined ? null : clusterConfig(cluster, folder),
  };
}

/**
 * Multiplies limits by IP address with this node's share. Limits by account need no share, because all nodes count
 * together.
 */
function sharedLimits(
  { limits, http, streams, interface: name }: FileConfig,
  share: number,
): Pick<FileConfig, "http" | "streams"> & Pick<Config, "limits"> {
  const part = (whole: number): number => Math.max(1, Math.floor(whole * share));
  const defaults = VENUE_INTERFACES[name];
  const { fillCredits = defaults.fillCredits } = limits;
  const rules = (limits.rules ?? defaults.limits).map((rule) =>
    rule.rateLimitType === "ORDERS" ? rule : { ...rule, limit: part(rule.limit) },
  );
  return {
    limits: { ...limits, rules, fillCredits },
    http: { ...http, maxConnectionsPerIp: part(http.maxConnectionsPerIp) },
    streams: { ...streams, maxConnectionsPerIp: part(streams.maxConnectionsPerIp) },
  };
}

/** A loop, because a regular expression would take quadratic time for many slashes. */
function withoutLastSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === "/") end--;
  return url.slice(0, end);
}

function smtpConfig(
  { user, password, passwordFile, ...server }: NonNullable<FileConfig["email"]["smtp"]>,
  folder: string,
): SmtpConfig {
  const given = secret(password, passwordFile, folder, "email.smtp.passwordFile");
  if ((user === undefined) !== (given === null))
    throw new ConfigError("email.smtp: user and password must be set together");
  return { ...server, login: user === undefined || given === null ? null : { user, password: given } };
}

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) freeze(inner);
    Object.freeze(value);
  }
  return value;
}

// Settings that must be equal on all nodes of a cluster, because the journal's contents depend on them.

const DIGEST_LENGTH = 16;

/** The shared settings in the form that is journaled. They contain no secrets. */
export function sharedSettings(config: Config): SharedSetting[] {
  const { fees, tradingRules, limits, exchangeFilters, demo, interface: name } = config;
  const orders = limits.rules.filter(({ rateLimitType }) => rateLimitType === "ORDERS");
  const shared = {
    // First, because other values follow it: an error names the first that differs.
    interface: name,
    fees,
    tradingRules,
    "limits.rules": orders,
    "limits.enabled": limits.enabled,
    "limits.fillCredits": limits.fillCredits,
    exchangeFilters,
    demo,
  };
  return Object.entries(shared).map(([name, value]) => ({ name, value: textOf(value) }));
}

/** Digests of the settings by name, with which nodes compare their settings. They reveal no secrets. */
export function settingDigests(config: Config, masterKey: string): Record<string, string> {
  const digests = sharedSettings(config).map(({ name, value }) => [name, digestOf(value)]);
  return { masterKey: masterKeyCheck(masterKey), ...Object.fromEntries(digests) };
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, DIGEST_LENGTH);
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (isSection(inner) ? sorted(inner) : inner));
}

function isSection(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sorts the keys, because their order in the file does not matter. */
function sorted(section: object): object {
  return Object.fromEntries(Object.entries(section).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
