/** Secrets are compared in constant time, and only in two places. A new place must be added here. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { HmacKey, isSignedBy } from "../../src/api/edge/authentication.ts";
import { sign } from "@pricetime/testkit/client";
import { ROOT } from "@pricetime/testkit/venue";

const SOURCE = join(ROOT, "packages/server/src");
/** Names of secrets, or of values derived from them. Key ids, listen keys and stored texts are looked up instead. */
const SECRET = "\\w*(?:secretKey|signature|hmac|digest|token|masterKey|password|totp)";
const EQUALS = "\\s*[!=]==?(?!=)";
const COMPARED = new RegExp(
  `\\b${SECRET}${EQUALS}(?!\\s*(?:undefined|null|""))|${EQUALS}\\s*(?:\\w+\\.)*${SECRET}\\b`,
  "i",
);

function sources(): [path: string, text: string][] {
  return readdirSync(SOURCE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(SOURCE.length + 1), readFileSync(path, "utf8")]);
}

test("the pattern below recognizes an unsafe comparison", () => {
  for (const bad of ["if (given === token)", "expectedSignature !== x", "x == this.masterKey"])
    assert.match(bad, COMPARED);
  for (const good of ["token === undefined", 'signature !== ""', "publicKey === key"])
    assert.doesNotMatch(good, COMPARED);
});

test("no secret is compared character by character", () => {
  for (const [path, text] of sources()) {
    for (const line of text.split("\n")) {
      // Names of parameters are not secret.
      if (/name [!=]== "signature"/.test(line)) continue;
      // The token of a chain is a public contract.
      if (/token\.contract/.test(line)) continue;
      // The event digest is visible to everyone who may read the journal.
      if (/[eE]ventDigest/.test(line)) continue;
      // Customers compare the digests of proofs with each other.
      if (path.startsWith("funds/proof/") && /digest\b/.test(line)) continue;
      assert.doesNotMatch(line, COMPARED, path);
    }
  }
});

test("timingSafeEqual is used where signatures and tokens are compared, and nowhere else", () => {
  const used = sources()
    .filter(([, text]) => text.includes("timingSafeEqual("))
    .map(([path]) => path);
  assert.deepEqual(used.sort(), ["api/edge/authentication.ts", "platform/secrets/api-keys.ts"]);
  const callers = sources()
    .filter(([, text]) => text.includes("sameSecret("))
    .map(([path]) => path);
  assert.ok(callers.includes("people/admin/operator.ts"));
});

test("a signature that is partly right is rejected", () => {
  const key = new HmacKey(Buffer.from("secret"));
  const right = sign("secret", "payload");
  assert.equal(isSignedBy(key, "payload", right), true);
  assert.equal(isSignedBy(key, "payload", right.toUpperCase()), true);
  for (let at = 0; at < right.length; at++) {
    const wrong = right.slice(0, at) + (right[at] === "0" ? "1" : "0") + right.slice(at + 1);
    assert.equal(isSignedBy(key, "payload", wrong), false, `at ${at}`);
  }
  for (const other of ["", right.slice(1), `${right}00`, `${right.slice(0, 63)}g`, " ".repeat(64)]) {
    assert.equal(isSignedBy(key, "payload", other), false);
  }
});
