/** TLS certificates of the node: rejections, warnings, and replacement while it runs. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test, type TestContext } from "node:test";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { DAY_MS, MINUTE_MS } from "@pricetime/engine";
import { Authority, type Issued, noOpenssl } from "@pricetime/testkit/authority";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import { CERTIFICATE_LIMITS, openCertificates, ServedCertificate } from "../../../src/platform/certificates.ts";
import { ConfigError } from "../../../src/platform/config/faults.ts";

interface Desk {
  readonly folder: string;
  readonly authority: Authority;
  readonly issued: Issued;
  readonly files: { readonly setting: "tls"; readonly certFile: string; readonly keyFile: string };
  /** The lines of the log. */
  readonly said: string[];
  nowMs: number;
  open(): Promise<ServedCertificate>;
}

function desk(t: TestContext, days = 30): Desk {
  const folder = scratchFolder(t);
  const authority = new Authority(folder);
  const issued = authority.issue("node", ["DNS:exchange.example.com"], days);
  const { certFile, keyFile } = issued;
  const said: string[] = [];
  const note = (...words: unknown[]): void => void said.push(String(words.at(-1)));
  const one: Desk = {
    ...{ folder, authority, issued, said },
    files: { setting: "tls", certFile, keyFile },
    // Certificates that the test issues are valid from now.
    nowMs: Date.now() + MINUTE_MS,
    open: () =>
      ServedCertificate.open(one.files, {
        log: { info: note, warn: note },
        machine: { nowMs: () => one.nowMs, every: () => () => {} },
      }),
  };
  return one;
}

/** Damages to the files, and the resulting messages. */
const FAULTS: Readonly<Record<string, readonly [spoil: (desk: Desk) => void, why: RegExp]>> = {
  "no certificate": [({ files }) => rmSync(files.certFile), /^tls\.certFile: \S+node\.crt cannot be read \(ENOENT\)$/],
  "no key": [({ files }) => rmSync(files.keyFile), /^tls\.keyFile: \S+node\.key cannot be read \(ENOENT\)$/],
  "an empty certificate": [({ files }) => writeFileSync(files.certFile, ""), /^tls\.certFile: \S+ has no certificate/],
  "a certificate as DER": [
    ({ files, authority }) =>
      authority.openssl("x509", "-in", files.certFile, "-outform", "DER", "-out", files.certFile),
    /^tls\.certFile: \S+ has no certificate in PEM format$/,
  ],
  "half a certificate": [
    ({ files, issued }) => writeFileSync(files.certFile, issued.cert.replace(/(.{20})\n-----END/s, "\n-----END")),
    /^tls\.certFile: \S+: certificate 1 is invalid$/,
  ],
  "a chain whose second is damaged": [
    ({ files, issued, authority }) =>
      writeFileSync(files.certFile, issued.cert + authority.ca.replace("MII", "MIJ").replace(/MIIB/, "AAAA")),
    /^tls\.certFile: \S+: certificate 2 is invalid$/,
  ],
  "a key in the place of the certificate": [
    ({ files, issued }) => writeFileSync(files.certFile, issued.key),
    /^tls\.certFile: \S+ has no certificate in PEM format$/,
  ],
  "a certificate in the place of the key": [
    ({ files, issued }) => writeFileSync(files.keyFile, issued.cert),
    /^tls\.keyFile: \S+ has no private key in PEM format$/,
  ],
  "the key of another": [
    ({ files, authority }) => writeFileSync(files.keyFile, authority.issue("other").key),
    /^tls\.keyFile: \S+node\.key is not the key of the certificate in \S+node\.crt$/,
  ],
  "the chain before the certificate": [
    ({ files, issued, authority }) => writeFileSync(files.certFile, authority.ca + issued.cert),
    /^tls\.certFile: \S+ must start with the certificate of the key/,
  ],
  "an encrypted key": [
    ({ files, authority }) =>
      authority.openssl("ec", "-in", files.keyFile, "-aes256", "-passout", "pass:secret", "-out", files.keyFile),
    /^tls\.keyFile: \S+: the key is encrypted\. /,
  ],
  "an encrypted key in PKCS 8": [
    ({ files, authority }) => {
      authority.openssl("pkcs8", "-topk8", "-in", files.keyFile, "-passout", "pass:secret", "-out", "sealed.key");
      renameSync(join(files.keyFile, "..", "sealed.key"), files.keyFile);
    },
    /^tls\.keyFile: \S+: the key is encrypted\. /,
  ],
  "a key that is too short": [
    ({ files, authority }) => {
      const out = ["-keyout", files.keyFile, "-out", files.certFile];
      authority.openssl("req", "-x509", "-newkey", "rsa:512", "-nodes", "-subj", "/CN=short", ...out);
    },
    /^tls: the certificate cannot be used \(.*too small/,
  ],
};

suite("certificates", { skip: noOpenssl }, () => {
  test("a chain and its key are served, also with comments as ACME clients write them", async (t) => {
    const { open, files, issued, authority, said } = desk(t);
    const bag = "Bag Attributes\n    friendlyName: node\n";
    writeFileSync(files.certFile, `${bag}${issued.cert}\n${bag}${authority.ca}`);
    const served = await open();
    assert.equal(served.warning, null);
    assert.deepEqual(said, []);
    assert.ok(Math.abs(served.untilMs - Date.now() - 30 * DAY_MS) < DAY_MS);
  });

  for (const [what, [spoil, why]] of Object.entries(FAULTS)) {
    test(`${what} is reported in one line at the start; later the old one stays in use`, async (t) => {
      const one = desk(t);
      const served = await one.open();
      const shown: string[] = [];
      served.follow(({ cert }) => shown.push(cert));
      spoil(one);
      const told = await one.open().catch((error: unknown) => error);
      assert.ok(told instanceof ConfigError, String(told));
      assert.match(told.message, why);
      assert.doesNotMatch(told.message, /\n|BEGIN/);
      await served.look();
      await served.look();
      assert.equal(served.warning, `the certificate's new files are refused, and the old one goes on: ${told.message}`);
      assert.deepEqual(one.said, [`tls: ${served.warning}`], "once");
      assert.deepEqual(shown, [one.issued.cert]);
    });
  }

  test("new files are served once they are valid", async (t) => {
    const one = desk(t);
    const served = await one.open();
    const shown: string[] = [];
    served.follow(({ cert }) => shown.push(cert));
    await served.look();
    assert.deepEqual(shown.length, 1, "nothing has changed");
    const next = one.authority.issue("next");
    // The certificate is replaced first, so briefly the two do not match.
    writeFileSync(one.files.certFile, next.cert);
    await served.look();
    assert.match(String(served.warning), /refused.*is not the key/);
    writeFileSync(one.files.keyFile, next.key);
    await served.look();
    assert.equal(served.warning, null);
    assert.deepEqual(shown, [one.issued.cert, next.cert]);
    assert.match(one.said.at(-1) ?? "", /^tls: new certificate loaded$/);
    one.authority.replace(one.files, one.authority.issue("third"));
    const looking = served.look();
    served.stop();
    await looking;
    assert.equal(shown.length, 2, "a node that stops takes no more");
  });

  test("a listener that failed to take a new certificate gets it again at each check, others once", async (t) => {
    const one = desk(t);
    const served = await one.open();
    const [shown, noted]: [string[], string[]] = [[], []];
    let isFull = false;
    served.follow(({ cert }) => {
      if (isFull) throw new Error("ENOSPC: no space left on device, write");
      noted.push(cert);
    });
    served.follow(({ cert }) => shown.push(cert));
    const next = one.authority.issue("next");
    one.authority.replace(one.files, next);
    isFull = true;
    await served.look();
    await served.look();
    assert.deepEqual([shown, noted], [[one.issued.cert, next.cert], [one.issued.cert]]);
    assert.match(String(served.warning), /^the new certificate is served, but .* tried again: ENOSPC: no space/);
    assert.deepEqual(one.said, ["tls: new certificate loaded", `tls: ${served.warning}`], "once");
    isFull = false;
    // Also while the files are rejected, which is reported first.
    rmSync(one.files.certFile);
    await served.look();
    await served.look();
    assert.deepEqual(
      [shown, noted],
      [
        [one.issued.cert, next.cert],
        [one.issued.cert, next.cert],
      ],
    );
    assert.match(String(served.warning), /are refused/);
    isFull = true;
    one.authority.replace(one.files, one.authority.issue("third"));
    await served.look();
    isFull = false;
    const looking = served.look();
    served.stop();
    await looking;
    assert.equal(noted.length, 2, "nothing is written behind a node that stops");
  });

  test("files that block are read once at a time and hold few threads", {
    skip: process.platform === "win32" && "Windows has no such files",
    timeout: 60_000,
  }, async (t) => {
    const { files, authority, issued } = desk(t);
    const admin = authority.issue("admin");
    let tick = (): unknown => assert.fail();
    const every = (_: number, task: () => unknown): (() => void) => {
      tick = task;
      return () => {};
    };
    const log = { info: () => {}, warn: () => {} };
    const settings = { tls: files, adminTls: { ...admin, setting: "admin.tls" as const } };
    const certificates = await openCertificates(settings, { log, machine: { nowMs: Date.now, every } });
    const paths = [files, admin].flatMap(({ certFile, keyFile }) => [certFile, keyFile]);
    for (const path of paths) {
      renameSync(path, `${path}.good`);
      // Opening a FIFO for reading blocks until it has a writer.
      assert.equal(spawnSync("mkfifo", [path]).status, 0);
    }
    /** Restores the good files and unblocks readers of the FIFO. */
    const letGo = (): void => {
      for (const path of paths) {
        if (existsSync(`${path}.good`)) {
          renameSync(path, `${path}.silent`);
          renameSync(`${path}.good`, path);
        }
        closeSync(openSync(`${path}.silent`, "r+"));
      }
    };
    inTheEnd(t, letGo);
    for (let minute = 0; minute < 5; minute++) tick();
    assert.ok((await promisify(gzip)("a thread is left")).length > 0);
    const { clients } = certificates;
    let isOver = false;
    const over = Promise.all([clients?.look(), certificates.admin?.look()]).then(() => (isOver = true));
    await until("the looks are over", () => {
      letGo();
      return isOver;
    });
    await over;
    await clients?.look();
    assert.deepEqual([clients?.warning, clients?.cert], [null, issued.cert]);
  });

  test("an expiring and an expired certificate cause a warning and are still served", async (t) => {
    const one = desk(t, 90);
    const served = await one.open();
    const at = async (daysLeft: number): Promise<string | null> => {
      one.nowMs = served.untilMs - daysLeft * DAY_MS;
      await served.look();
      return served.warning;
    };
    assert.equal(await at(14.1), null);
    assert.match(String(await at(13.9)), /^the certificate expires in 13 days, at \d{4}-/);
    assert.match(String(await at(0.5)), /^the certificate expires in 0 days/);
    assert.match(String(await at(0)), /^the certificate has expired: it was good until /);
    assert.match(String(await at(91)), /^the certificate is not good yet/);
    assert.equal(one.said.length, 4);
    const expired = await one.open();
    assert.ok(expired.warning !== null);
    assert.equal(CERTIFICATE_LIMITS.warnBeforeMs, 14 * DAY_MS);
  });

  test("a six-day certificate causes a warning in its last two days", async (t) => {
    const one = desk(t, 6);
    const served = await one.open();
    assert.equal(served.warning, null);
    one.nowMs = served.untilMs - 2.1 * DAY_MS;
    assert.equal(served.warning, null);
    one.nowMs = served.untilMs - 1.9 * DAY_MS;
    assert.match(String(served.warning), /expires in 1 day,/);
  });

  test("a key file that others may read causes a warning", { skip: process.platform === "win32" }, async (t) => {
    const one = desk(t);
    for (const [mode, count] of [
      [0o600, 0],
      [0o640, 0],
      [0o644, 1],
    ] as const) {
      chmodSync(one.files.keyFile, mode);
      await one.open();
      assert.equal(one.said.length, count, mode.toString(8));
    }
    assert.match(one.said[0] ?? "", /^tls\.keyFile: other users can read \S+node\.key; run chmod 600 on it$/);
  });

  test("a node checks both ports' files each minute and reports both certificates", async (t) => {
    const { files, authority, issued } = desk(t);
    const admin = authority.issue("admin");
    let tick = (): unknown => assert.fail();
    let periodMs = 0;
    let isEnded = false;
    const every = (given: number, task: () => unknown): (() => void) => {
      [periodMs, tick] = [given, task];
      return () => (isEnded = true);
    };
    const log = { info: () => {}, warn: () => {} };
    const machine = { nowMs: Date.now, every };
    const settings = { tls: files, adminTls: { ...admin, setting: "admin.tls" as const } };
    const certificates = await openCertificates(settings, { log, machine });
    assert.equal(periodMs, 60_000);
    const told: unknown[] = [];
    certificates.follow((shown) => told.push(shown.certificates));
    assert.deepEqual(told.at(-1), { rest: issued.cert, admin: admin.cert });
    const next = authority.issue("next");
    authority.replace(admin, next);
    const changed = new Promise<void>((resolve) =>
      certificates.admin?.follow(({ cert }) => cert === next.cert && resolve()),
    );
    tick();
    await changed;
    assert.deepEqual(told.at(-1), { rest: issued.cert, admin: next.cert });
    assert.equal(readFileSync(admin.certFile, "utf8"), next.cert);
    // The check of this minute ends first.
    await certificates.clients?.look();
    rmSync(files.certFile);
    await certificates.clients?.look();
    assert.deepEqual(Object.keys(certificates.warnings()), ["tls"]);
    certificates.stop();
    assert.equal(isEnded, true);
  });
});
