/** The settings of a cluster node, from the configuration and the files that it names. */
import type { ClusterSettings } from "./cluster-schema.ts";
import { ConfigError } from "./config-error.ts";
import { secret, textOfFile, TOKEN, TOKEN_RULE } from "./secret.ts";

/** The texts of files in PEM. */
export interface ClusterTls {
  /** Null: the authorities that the machine trusts. */
  readonly ca: string | null;
  /** Null: the node shows no certificate. */
  readonly client: { readonly cert: string; readonly key: string } | null;
}

type Certificates = "caFile" | "certFile" | "keyFile";
type Secrets = "user" | "password" | "passwordFile" | "token" | "tokenFile";

export interface ClusterConfig extends Omit<ClusterSettings, Certificates | Secrets | "adminUrl"> {
  /** Null: the endpoints are `http`. */
  readonly tls: ClusterTls | null;
  /** Null: etcd needs no login, or takes the certificate for one. */
  readonly login: { readonly user: string; readonly password: string } | null;
  /** Null: derived from the master key. */
  readonly token: string | null;
  /** Without a slash at the end. Null: the admin port on loopback. */
  readonly adminUrl: string | null;
}

/** Throws a one-line `ConfigError` for settings that do not go together. */
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
