/**
 * The settings of a cluster node: their schema, and the resolved form, which includes the contents of the files that
 * they name.
 */
import { z } from "zod";
import { text } from "./listing-schema.ts";
import { ConfigError } from "./faults.ts";
import { secret, textOfFile, TOKEN, TOKEN_RULE } from "./master-key.ts";

/** Maximum store size that etcd recommends. */
const MOST_STORE_BYTES = 8_589_934_592;

export const clusterSchema = z.strictObject({
  /** The client URLs of the etcd members: all `http` or all `https`. */
  endpoints: z
    .array(z.url({ protocol: /^https?$/ }))
    .min(1)
    .max(16),
  /** The prefix of all keys in etcd. It must be unique among the exchanges that share the etcd cluster. */
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/, "1 to 64 letters, digits, ., _ and -")
    .default("pt"),
  caFile: text.exactOptional(),
  certFile: text.exactOptional(),
  keyFile: text.exactOptional(),
  user: text.exactOptional(),
  password: text.exactOptional(),
  passwordFile: text.exactOptional(),
  /**
   * The token with which nodes authenticate to each other. Default: derived from the master key, which is the same on
   * all nodes.
   */
  token: text.exactOptional(),
  tokenFile: text.exactOptional(),
  /** The URL at which other nodes reach this node's admin port. Default: its port on loopback. */
  adminUrl: z.url({ protocol: /^https?$/ }).exactOptional(),
  reads: z.enum(["linearizable", "local"]).default("linearizable"),
  /** The fraction of each limit by IP address that this node allows. */
  limitShare: z.number().gt(0).max(1).default(1),
  mirrors: z.int().min(1).max(16).default(2),
  maxTailBytes: z.int().min(1_048_576).max(MOST_STORE_BYTES).default(268_435_456),
  /** Maximum size of the store in bytes. Default: three quarters of etcd's default quota. */
  maxStoreBytes: z.int().min(8_388_608).max(MOST_STORE_BYTES).default(1_610_612_736),
  cutOffAfterMs: z.int().min(100).max(60_000).default(2000),
  submitTimeoutMs: z.int().min(100).max(60_000).default(5000),
  maxStaleMs: z.int().min(0).max(3_600_000).default(10_000),
  maxAheadMs: z.int().min(100).max(60_000).default(2500),
  readTimeoutMs: z.int().min(0).max(60_000).default(5000),
});

type ClusterSettings = z.output<typeof clusterSchema>;

/** Contents of PEM files. */
export interface ClusterTls {
  /** Null: use the machine's certificate authorities. */
  readonly ca: string | null;
  /** Null: no client certificate. */
  readonly client: { readonly cert: string; readonly key: string } | null;
}

type Certificates = "caFile" | "certFile" | "keyFile";
type Secrets = "user" | "password" | "passwordFile" | "token" | "tokenFile";

export interface ClusterConfig extends Omit<ClusterSettings, Certificates | Secrets | "adminUrl"> {
  /** Null if the endpoints are `http`. */
  readonly tls: ClusterTls | null;
  /** Null: no login, or login by client certificate. */
  readonly login: { readonly user: string; readonly password: string } | null;
  /** Null: the token is derived from the master key. */
  readonly token: string | null;
  /** Without a trailing slash. Null: the admin port on loopback. */
  readonly adminUrl: string | null;
}

/** Resolves the settings. Throws a one-line `ConfigError` if they contradict each other. */
export function clusterConfig(settings: ClusterSettings, folder: string): ClusterConfig {
  const { caFile, certFile, keyFile, ...rest } = settings;
  const { user, password, passwordFile, token, tokenFile, adminUrl, ...plain } = rest;
  const given = secret(token, tokenFile, folder, "cluster.tokenFile");
  if (given !== null && !TOKEN.test(given)) throw new ConfigError(`cluster.token: ${TOKEN_RULE}`);
  return {
    ...plain,
    tls: tlsOf({ endpoints: plain.endpoints, caFile, certFile, keyFile }, folder),
    login: loginOf(user, secret(password, passwordFile, folder, "cluster.passwordFile")),
    token: given,
    adminUrl: adminUrl?.replace(/\/$/, "") ?? null,
  };
}

function loginOf(user: string | undefined, password: string | null): ClusterConfig["login"] {
  if ((user === undefined) !== (password === null)) {
    throw new ConfigError("cluster: user and password must be set together");
  }
  return user === undefined || password === null ? null : { user, password };
}

interface Files {
  readonly endpoints: readonly string[];
  readonly caFile: string | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
}

function tlsOf({ endpoints, caFile, certFile, keyFile }: Files, folder: string): ClusterTls | null {
  const secure = endpoints.filter((url) => url.startsWith("https:")).length;
  if (secure !== 0 && secure !== endpoints.length) {
    throw new ConfigError("cluster.endpoints: use http or https for all endpoints, not both");
  }
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new ConfigError("cluster: certFile and keyFile must be set together");
  }
  if (secure === 0) {
    if (caFile === undefined && certFile === undefined) return null;
    throw new ConfigError("cluster: certificates are set, but the endpoints use http. Change them to https://");
  }
  const client =
    certFile === undefined || keyFile === undefined
      ? null
      : {
          cert: textOfFile(certFile, folder, "cluster.certFile"),
          key: textOfFile(keyFile, folder, "cluster.keyFile"),
        };
  return { ca: caFile === undefined ? null : textOfFile(caFile, folder, "cluster.caFile"), client };
}
