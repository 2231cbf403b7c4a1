/** A certificate for TLS with its chain and its key, read from two files and checked. */
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { ConfigError } from "../config/config-error.ts";
import type { TlsFiles } from "../config/tls-schema.ts";
import { type CertificatePair, contextOf } from "../transport/tls-door.ts";

export interface Certificate extends CertificatePair {
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
export async function readCertificate(files: TlsFiles): Promise<Certificate> {
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
