/**
 * The certificate that a port serves. Its files are read again from time to time: when others have taken their place, new
 * connections get the new certificate, and open ones live on. What cannot be served is refused, and the old one goes on.
 */
import { ConfigError } from "../config/config-error.ts";
import type { TlsFiles } from "../config/tls-schema.ts";
import type { Logger } from "../observe/log.ts";
import type { CertificatePair, CertificateSource } from "../transport/tls-door.ts";
import type { Clock, Timers } from "../world/port.ts";
import { type Certificate, readCertificate } from "./certificate.ts";
import { CERTIFICATE_LIMITS, daysOf } from "./limits.ts";

export interface Around {
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
