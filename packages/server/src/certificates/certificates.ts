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
  /** Reads no files any more. */
  stop(): void;
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
  const stop = served.length === 0 ? (): void => {} : around.machine.every(CERTIFICATE_LIMITS.lookEveryMs, look);
  const warnings = (): Record<string, string> =>
    Object.fromEntries(
      served.flatMap(({ setting, warning }): [string, string][] => (warning === null ? [] : [[setting, warning]])),
    );
  return { clients, admin, warnings, stop };
}
