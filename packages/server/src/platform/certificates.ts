/**
 * The TLS certificates of a node's client port and admin port. The files are read periodically: new connections use a
 * replaced certificate, open connections are not affected. Invalid files are ignored with a warning, and the previous
 * certificate stays in use.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { ConfigError } from "./config/faults.ts";
import type { TlsFiles } from "./config/schema.ts";
import { type CertificatePair, type CertificateSource, contextOf } from "./transport/tls.ts";
import type { Logger } from "./observe/log.ts";
import { type Clock, NOTHING_FOLLOWS, type Timers } from "./world/port.ts";
import type { Metrics } from "./observe/metrics.ts";

const DAY_MS = 86_400_000;

export const CERTIFICATE_LIMITS = {
  /** How often the files are read. */
  lookEveryMs: 60_000,
  /** A warning is issued when a certificate expires within this time. */
  warnBeforeMs: 14 * DAY_MS,
  /**
   * A warning is issued only when less than this fraction of the lifetime is left, because some certificates are valid
   * only for days.
   */
  warnLastPart: 1 / 3,
} as const;

/** Formats a time span in days, rounded down. */
function daysOf(spanMs: number): string {
  const days = Math.floor(spanMs / DAY_MS);
  return `${days} ${days === 1 ? "day" : "days"}`;
}

interface Certificate extends CertificatePair {
  /** The certificate's validity: start and end. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Whether other users of the machine can read the key. */
  readonly isKeyOpen: boolean;
}

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
/** Matches encrypted keys, in PKCS 8 and in older formats. */
const ENCRYPTED = /^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;
/** The mode bit that allows users other than owner and group to read. */
const READ_BY_OTHERS = 0o004;

/**
 * Reads and checks the files. Throws a one-line `ConfigError` if they do not contain a certificate, its chain and its
 * key.
 */
async function readCertificate(files: TlsFiles): Promise<Certificate> {
  const { setting, certFile, keyFile } = files;
  // Read one after the other: a file system that does not respond blocks one of the few threads of Node's pool.
  const cert = await textOf(certFile, `${setting}.certFile`);
  const key = await textOf(keyFile, `${setting}.keyFile`);
  const [first, ...chain] = chainOf(cert, `${setting}.certFile: ${certFile}`);
  const ownKey = keyOf(key, `${setting}.keyFile: ${keyFile}`);
  if (!first.checkPrivateKey(ownKey)) {
    const isOfAnother = chain.some((one) => one.checkPrivateKey(ownKey));
    throw new ConfigError(
      isOfAnother
        ? `${setting}.certFile: ${certFile} must start with the certificate of the key, followed by its chain`
        : `${setting}.keyFile: ${keyFile} is not the key of the certificate in ${certFile}`,
    );
  }
  const pair = { cert, key };
  try {
    createSecureContext(contextOf(pair));
  } catch (error) {
    throw new ConfigError(`${setting}: the certificate cannot be used (${(error as Error).message})`, {
      cause: error,
    });
  }
  const [fromMs, untilMs] = [Date.parse(first.validFrom), Date.parse(first.validTo)];
  return { ...pair, fromMs, untilMs, isKeyOpen: await isOpen(keyFile) };
}

async function textOf(path: string, setting: string): Promise<string> {
  try {
    return await readFile(path, "latin1");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${setting}: ${path} cannot be read (${code})`, { cause: error });
  }
}

function chainOf(text: string, where: string): [X509Certificate, ...X509Certificate[]] {
  const [first, ...chain] = (text.match(CERTIFICATES) ?? []).map((pem, at) => {
    try {
      return new X509Certificate(pem);
    } catch (error) {
      throw new ConfigError(`${where}: certificate ${at + 1} is invalid`, { cause: error });
    }
  });
  if (first === undefined) throw new ConfigError(`${where} has no certificate in PEM format`);
  return [first, ...chain];
}

function keyOf(text: string, where: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch (error) {
    throw new ConfigError(
      ENCRYPTED.test(text)
        ? `${where}: the key is encrypted. Store it unencrypted, readable only by the node's user`
        : `${where} has no private key in PEM format`,
      { cause: error },
    );
  }
}

/** Whether other users can read the file. On Windows, the mode has no meaning. */
async function isOpen(path: string): Promise<boolean> {
  return process.platform !== "win32" && ((await stat(path)).mode & READ_BY_OTHERS) !== 0;
}

interface Around {
  readonly log: Pick<Logger, "info" | "warn">;
  readonly machine: Pick<Clock, "nowMs"> & Pick<Timers, "every">;
}

type Use = (pair: CertificatePair) => void;

export class ServedCertificate implements CertificateSource {
  readonly #files: TlsFiles;
  readonly #around: Around;
  readonly #uses: Use[] = [];
  #current: Certificate;
  /** The callbacks that failed for the current certificate. */
  readonly #behind = new Set<Use>();
  /** Why the callbacks failed. */
  #whyBehind = "";
  /** Why the current files are not used. */
  #refused: string | undefined;
  #told: string | null = null;
  /** The check in progress. */
  #looking: Promise<void> | undefined;
  #isStopped = false;

  private constructor(files: TlsFiles, first: Certificate, around: Around) {
    this.#files = files;
    this.#around = around;
    this.#current = first;
    this.#tell();
    if (first.isKeyOpen) this.#tellOpenKey();
  }

  /** Opens the certificate of a port. Rejects with a one-line `ConfigError` if its files cannot be used. */
  static async open(files: TlsFiles, around: Around): Promise<ServedCertificate> {
    return new ServedCertificate(files, await readCertificate(files), around);
  }

  get setting(): string {
    return this.#files.setting;
  }

  get cert(): string {
    return this.#current.cert;
  }

  get untilMs(): number {
    return this.#current.untilMs;
  }

  /**
   * Calls `use` now and at each change. Throws if the first call throws. After a later error, `use` is called again at
   * each check until it succeeds.
   */
  follow(use: Use): void {
    this.#uses.push(use);
    use(this.#current);
  }

  /** A warning for operators; null if there is none. */
  get warning(): string | null {
    if (this.#refused !== undefined)
      return `the certificate's new files are refused, and the old one goes on: ${this.#refused}`;
    if (this.#behind.size > 0)
      return `the new certificate is served, but the data folder does not tell of it, which is tried again: ${this.#whyBehind}`;
    const { fromMs, untilMs } = this.#current;
    const nowMs = this.#around.machine.nowMs();
    const [from, until] = [fromMs, untilMs].map((ms) => new Date(ms).toISOString());
    if (nowMs >= untilMs) return `the certificate has expired: it was good until ${until}`;
    if (nowMs < fromMs) return `the certificate is not good yet: it is from ${from}`;
    const { warnBeforeMs, warnLastPart } = CERTIFICATE_LIMITS;
    const leftMs = untilMs - nowMs;
    if (leftMs >= Math.min(warnBeforeMs, (untilMs - fromMs) * warnLastPart)) return null;
    return `the certificate expires in ${daysOf(leftMs)}, at ${until}`;
  }

  /** Stops the checks. The result of a running check is ignored. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Reads the files again. Calls during a running check wait for that check. The promise never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #lookOnce(): Promise<void> {
    let found: Certificate | undefined;
    try {
      found = await readCertificate(this.#files);
      this.#refused = undefined;
    } catch (error) {
      this.#refused = error instanceof ConfigError ? error.message : String(error);
    }
    if (this.#isStopped) return;
    if (found !== undefined && (found.cert !== this.#current.cert || found.key !== this.#current.key))
      this.#take(found);
    else this.#bringUp();
    this.#tell();
  }

  #take(found: Certificate): void {
    this.#current = found;
    for (const use of this.#uses) this.#behind.add(use);
    this.#bringUp();
    const until = new Date(found.untilMs).toISOString();
    this.#around.log.info({ until }, `${this.setting}: new certificate loaded`);
    if (found.isKeyOpen) this.#tellOpenKey();
  }

  /** Passes the current certificate to the callbacks that failed for it. */
  #bringUp(): void {
    for (const use of this.#behind) {
      try {
        use(this.#current);
        this.#behind.delete(use);
      } catch (error) {
        this.#whyBehind = (error as Error).message;
      }
    }
  }

  #tell(): void {
    const { warning } = this;
    if (warning === this.#told) return;
    this.#told = warning;
    if (warning !== null) this.#around.log.warn(`${this.setting}: ${warning}`);
  }

  #tellOpenKey(): void {
    const { keyFile } = this.#files;
    this.#around.log.warn(`${this.setting}.keyFile: other users can read ${keyFile}; run chmod 600 on it`);
  }
}

export interface Certificates {
  /** Undefined if the port uses plain HTTP. */
  readonly clients: ServedCertificate | undefined;
  readonly admin: ServedCertificate | undefined;
  /** Warnings for operators, by setting. */
  warnings(): Readonly<Record<string, string>>;
  /**
   * Calls `use` now and at each change, with the certificates of both ports. Throws if the first call throws. After a
   * later error, `use` is called again at each check.
   */
  follow(use: (shown: Shown) => void): void;
  /** Ends the periodic checks. */
  stop(): void;
}

/** Certificates with their chains, in PEM, by port. */
interface Shown {
  readonly certificates?: { readonly admin?: string; readonly rest?: string };
}

interface Settings {
  readonly tls: TlsFiles | null;
  readonly adminTls: TlsFiles | null;
}

/** Opens the certificates of both ports. Rejects with a one-line `ConfigError`. */
export async function openCertificates({ tls, adminTls }: Settings, around: Around): Promise<Certificates> {
  const open = async (files: TlsFiles | null): Promise<ServedCertificate | undefined> =>
    files === null ? undefined : ServedCertificate.open(files, around);
  const [clients, admin] = [await open(tls), await open(adminTls)];
  const served = [clients, admin].filter((one) => one !== undefined);
  const look = (): unknown => {
    // The promises returned by `look` never reject.
    for (const one of served) void one.look();
    return NOTHING_FOLLOWS;
  };
  const endLooking = served.length === 0 ? undefined : around.machine.every(CERTIFICATE_LIMITS.lookEveryMs, look);
  const stop = (): void => {
    endLooking?.();
    for (const one of served) one.stop();
  };
  const follow = (use: (shown: Shown) => void): void => {
    if (served.length === 0) use({});
    const shown = (): Shown["certificates"] & object => ({
      ...(admin && { admin: admin.cert }),
      ...(clients && { rest: clients.cert }),
    });
    for (const one of served) one.follow(() => use({ certificates: shown() }));
  };
  const warnings = (): Record<string, string> =>
    Object.fromEntries(
      served.flatMap(({ setting, warning }): [string, string][] => (warning === null ? [] : [[setting, warning]])),
    );
  return { clients, admin, warnings, follow, stop };
}

export function watchCertificates(metrics: Pick<Metrics, "gauges">, { clients, admin }: Certificates): void {
  const help = "Expiry of the certificate of a port, in seconds since 1970";
  metrics.gauges("pricetime_certificate_expires_seconds", help, () =>
    Object.entries({ clients, admin }).flatMap(([port, served]) =>
      served === undefined ? [] : [{ labels: { port }, value: served.untilMs / 1000 }],
    ),
  );
}
