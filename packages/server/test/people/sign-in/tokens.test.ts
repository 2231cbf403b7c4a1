/** Session tokens and known-browser marks: which are accepted for whom. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionRecord } from "@pricetime/engine";
import { createLinkSecrets } from "../../../src/platform/secrets/link-secrets.ts";
import {
  browserOf,
  hashOfSecret,
  newMark,
  newSecret,
  newToken,
  tokenOf,
  tokenText,
  worthOf,
} from "../../../src/people/sign-in/tokens.ts";
import { OLD_SECRET_LIFE_MS, RENEW_AFTER_MS } from "../../../src/people/sign-in/limits.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

test("a token is parsed exactly, and other text is rejected", () => {
  const token = newToken(MACHINE);
  assert.deepEqual(tokenOf(tokenText(token)), token);
  const text = tokenText(token);
  for (const other of ["", text.slice(1), `${text}x`, text.toUpperCase(), `${text}\n`, text.replace(".", "")]) {
    assert.equal(tokenOf(other), undefined, other);
  }
});

test("no secret begins with a dash, which a command line would parse as an option, and all have the same length", () => {
  const links = createLinkSecrets("22".repeat(32));
  const secrets = Array.from({ length: 1000 }, (_, id) => [
    newSecret(MACHINE),
    links.secretOf("invitation", String(id)),
  ]).flat();
  for (const secret of secrets) assert.match(secret, /^[A-Za-z0-9_][A-Za-z0-9_-]{42}$/);
  assert.equal(new Set(secrets).size, secrets.length);
  assert.equal(links.secretOf("invitation", "7"), secrets[15]);
});

test("the newest secret is valid, the previous one for a minute, and later it indicates theft", () => {
  const [first, second, third] = [newToken(MACHINE), newToken(MACHINE), newToken(MACHINE)];
  const renewedMs = 1_600_000_000_000;
  const session: SessionRecord = {
    ...{ sessionId: first.sessionId, holder: "account:1", ip: "", client: "", openedMs: 0 },
    ...{ secretHash: hashOfSecret(second.secret), previousHash: hashOfSecret(first.secret), renewedMs },
    untilMs: renewedMs * 2,
  };
  const worth = (secret: string, afterMs: number): string => worthOf(session, secret, renewedMs + afterMs);
  assert.equal(worth(second.secret, 0), "good");
  assert.equal(worth(second.secret, RENEW_AFTER_MS), "due");
  assert.equal(worth(first.secret, OLD_SECRET_LIFE_MS), "late");
  assert.equal(worth(first.secret, OLD_SECRET_LIFE_MS + 1), "replayed");
  assert.equal(worth(third.secret, 0), "wrong");
  assert.equal(worthOf({ ...session, previousHash: "" }, first.secret, renewedMs), "wrong");
});

test("a browser mark is valid for its account and this exchange only", () => {
  const links = createLinkSecrets("22".repeat(32));
  const mark = newMark(links, "account:1", MACHINE);
  assert.equal(browserOf(links, "account:1", mark), mark.slice(0, 32));
  assert.equal(browserOf(links, "account:2", mark), null);
  assert.equal(browserOf(createLinkSecrets("33".repeat(32)), "account:1", mark), null);
  assert.equal(browserOf(links, undefined, mark), null);
  assert.equal(browserOf(links, "account:1", `${"0".repeat(32)}${mark.slice(32)}`), null);
});
