/** The certificates of a node: of the port of its clients, and of its admin port. */
import type { TlsFiles } from "../config/tls-schema.ts";
import { NOTHING_FOLLOWS } from "../world/port.ts";
import { CERTIFICATE_LIMITS } from "./limits.ts";
import { type Around, ServedCertificate } from "./served-certificate.ts";

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
