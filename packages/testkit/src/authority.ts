/** A small certificate authority for tests, based on openssl, which must be installed. */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { skipUnless } from "./scratch.ts";

/** The `skip` option of tests that need certificates. */
export const noOpenssl = skipUnless(spawnSync("openssl", ["version"]).status === 0, "there is no openssl here");

/** The files of a certificate and its key, with their contents. */
export interface Issued {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
}

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];

export class Authority {
  readonly #folder: string;
  /** The certificate of the authority, in PEM. */
  readonly ca: string;
  /** The file with the certificate of the authority. */
  readonly caFile: string;

  /** `folder`: the folder in which the authority stores its files. */
  constructor(folder: string) {
    this.#folder = folder;
    this.caFile = join(folder, "ca.crt");
    this.openssl(
      "req",
      "-x509",
      ...NEW_KEY,
      "-nodes",
      "-subj",
      "/CN=ca",
      "-keyout",
      "ca.key",
      "-out",
      "ca.crt",
      "-days",
      "30",
    );
    this.ca = readFileSync(this.caFile, "utf8");
  }

  /** Issues a certificate for these names and addresses (`DNS:localhost`, `IP:127.0.0.1`), for servers and clients. */
  issue(name: string, alternatives: readonly string[] = ["DNS:localhost", "IP:127.0.0.1"], days = 30): Issued {
    const [keyFile, certFile] = ["key", "crt"].map((end) => join(this.#folder, `${name}.${end}`)) as [string, string];
    writeFileSync(
      join(this.#folder, "extensions"),
      `subjectAltName=${alternatives.join(",")}\nextendedKeyUsage=serverAuth,clientAuth\n`,
    );
    this.openssl("req", ...NEW_KEY, "-nodes", "-subj", `/CN=${name}`, "-keyout", keyFile, "-out", `${name}.csr`);
    const signed = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "extensions"];
    this.openssl("x509", "-req", "-in", `${name}.csr`, ...signed, "-days", `${days}`, "-out", certFile);
    return { certFile, keyFile, cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8") };
  }

  /** Overwrites the files of a certificate with those of another one, as ACME clients do. */
  replace(old: Pick<Issued, "certFile" | "keyFile">, by: Pick<Issued, "certFile" | "keyFile">): void {
    for (const file of ["keyFile", "certFile"] as const) {
      copyFileSync(by[file], `${old[file]}.new`);
      renameSync(`${old[file]}.new`, old[file]);
    }
  }

  openssl(...args: readonly string[]): void {
    execFileSync("openssl", args, { cwd: this.#folder, stdio: "ignore" });
  }
}
