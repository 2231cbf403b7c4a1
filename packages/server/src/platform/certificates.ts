/**
 * The certificates of a node: of the port of its clients, and of its admin port. Their files are read again from time
 * to time: when others have taken their place, new connections get the new certificate, and open ones live on. What
 * cannot be served is refused, and the old one goes on.
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

/** When certificates are looked at, and when they are warned of. */
const DAY_MS = 86_400_000;

export const CERTIFICATE_LIMITS = {
  /** How often the files are read again: new ones are served within this time. */
  lookEveryMs: 60_000,
  /** A certificate that ends within this time is warned of, */
  warnBeforeMs: 14 * DAY_MS,
  /** but not before this part of its life is left: some live for days only. */
  warnLastPart: 1 / 3,
} as const;

/** Whole days in words, rounded down. */
function daysOf(spanMs: number): string {
  const days = Math.floor(spanMs / DAY_MS);
  return `${days} ${days === 1 ? "day" : "days"}`;
}

interface Certificate extends CertificatePair {
  /** It holds from here, */
  readonly fromMs: number;
  /** to here. */
  readonly untilMs: number;
  /** Others on the machine may read the key. */
  readonly isKeyOpen: boolean;
}

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
/** As PKCS 8 says it, and as older formats do. */
const ENCRYPTED = /^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;
/** Whether others than owner and group may read a file. */
const READ_BY_OTHERS = 0o004;

/** Throws a one-line `ConfigError` when the files do not hold a certificate, its chain and its key. */
async function readCertificate(files: TlsFiles): Promise<Certificate> {
  const { setting, certFile, keyFile } = files;
  // One after the other: files that do not answer hold a thread each, of the few that compress and hash, too.
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

/** On Windows the mode says nothing. */
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
  /** Those that have not taken the present certificate: they failed. */
  readonly #behind = new Set<Use>();
  /** Why they failed. */
  #whyBehind = "";
  /** Why the files that are there now are not served. */
  #refused: string | undefined;
  #told: string | null = null;
  /** The look that is under way. */
  #looking: Promise<void> | undefined;
  #isStopped = false;

  private constructor(files: TlsFiles, first: Certificate, around: Around) {
    this.#files = files;
    this.#around = around;
    this.#current = first;
    this.#tell();
    if (first.isKeyOpen) this.#tellOpenKey();
  }

  /** Rejects with a one-line `ConfigError` when the files cannot be served. */
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

  /** Throws what `use` throws at once. When it throws later, it is called again at each look until it does not. */
  follow(use: Use): void {
    this.#uses.push(use);
    use(this.#current);
  }

  /** What an operator should see to; null: nothing. */
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

  /** Files that are being read now change nothing any more. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Reads the files again, which may take its time: until then each look is the same one. Never rejects. */
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

  /** Gives the present certificate to those that have not taken it. */
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
  /** Undefined: the port speaks plain HTTP. */
  readonly clients: ServedCertificate | undefined;
  readonly admin: ServedCertificate | undefined;
  /** What an operator should see to, by the setting. */
  warnings(): Readonly<Record<string, string>>;
  /**
   * Calls `use` at once, and whenever a port shows another certificate, with what they show by TLS; none: nothing. Throws
   * what it throws at once; when it throws later, it is called again at each look.
   */
  follow(use: (shown: Shown) => void): void;
  /** Reads no files any more, and tells nobody. */
  stop(): void;
}

/** Certificates with their chains, in PEM, by the port. */
interface Shown {
  readonly certificates?: { readonly admin?: string; readonly rest?: string };
}

interface Settings {
  readonly tls: TlsFiles | null;
  readonly adminTls: TlsFiles | null;
}

/** Rejects with a one-line `ConfigError`. */
export async function openCertificates({ tls, adminTls }: Settings, around: Around): Promise<Certificates> {
  const open = async (files: TlsFiles | null): Promise<ServedCertificate | undefined> =>
    files === null ? undefined : ServedCertificate.open(files, around);
  const [clients, admin] = [await open(tls), await open(adminTls)];
  const served = [clients, admin].filter((one) => one !== undefined);
  const look = (): unknown => {
    // They never reject.
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
