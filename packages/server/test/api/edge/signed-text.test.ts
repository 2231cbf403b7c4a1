/** The text that a signature covers: the bytes as received or decoded, and nothing else. Decision 17. */
import assert from "node:assert/strict";
import { generateKeyPairSync, sign as signWith } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import type { ApiKey } from "@pricetime/engine";
import { ENDPOINTS, isApiError, type ParsedRequest, parseRequest } from "@pricetime/protocol";
import { sign } from "@pricetime/testkit/client";
import { checkSigned, HmacKey, Secrets } from "../../../src/api/edge/authentication.ts";
import { Refused } from "../../../src/api/edge/refusals.ts";

const SECRET = "s".repeat(64);
const KEY = { apiKey: "k".repeat(64), sealedSecret: SECRET } as ApiKey;
const ORDER = ENDPOINTS.find(({ id }) => id === "order.place");
assert(ORDER);

/** Accepts any parameters besides those of all signed requests. */
const ENDPOINT = { ...ORDER, parameters: [] };

/** One character per byte. */
const bytes = (text: string): string => Buffer.from(text, "utf8").toString("latin1");
const hmac = (text: string): string => sign(SECRET, Buffer.from(text, "latin1"));

function parsed(query: string, body: string, signature: string): ParsedRequest | undefined {
  const end = query === "" ? "" : "&";
  const request = parseRequest(ENDPOINT, `${query}${end}signature=${signature}`, body);
  return isApiError(request) ? undefined : request;
}

function isAccepted(request: ParsedRequest, secrets = new Secrets((sealed) => sealed)): boolean {
  try {
    checkSigned(secrets, KEY, request);
    return true;
  } catch (error) {
    assert(error instanceof Refused);
    assert.equal(error.error.code, -1022);
    return false;
  }
}

/** Whether a request with this query and body is accepted if the client signed the decoded text `signed`. */
function isTaken(query: string, body: string, signed: string): boolean {
  const request = parsed(query, body, hmac(bytes(signed)));
  assert(request, "can be read");
  return isAccepted(request);
}

test("texts that clients sign, and how they send them", () => {
  const table: readonly [what: string, query: string, body: string, signed: string, taken: boolean][] = [
    ["an address of mail in a form", "", "toEmail=dave%40x.y&timestamp=1", "toEmail=dave@x.y&timestamp=1", true],
    ["a space as +", "", "name=my+wallet&timestamp=1", "name=my wallet&timestamp=1", true],
    ["a space as %20, in the query", "name=my%20wallet&timestamp=1", "", "name=my wallet&timestamp=1", true],
    ["beyond ASCII", "", "name=caf%C3%A9&timestamp=1", "name=café&timestamp=1", true],
    ["a list of symbols", "symbols=%5B%22A%22%2C%22B%22%5D&timestamp=1", "", 'symbols=["A","B"]&timestamp=1', true],
    ["= within a value", "", "name=a%3Db&timestamp=1", "name=a=b&timestamp=1", true],
    ["both parts, joined with nothing between", "a=x%40y", "b=1+2&timestamp=1", "a=x@yb=1 2&timestamp=1", true],
    ["one part as it came, one decoded", "a=x%40y", "b=1+2&timestamp=1", "a=x%40yb=1 2&timestamp=1", false],
    ["& within a value", "", "name=a%26b&timestamp=1", "name=a&b&timestamp=1", false],
    ["& that makes another parameter", "", "name=a%26to%3Db&timestamp=1", "name=a&to=b&timestamp=1", false],
    ["+ within a value", "", "name=a%2Bb&timestamp=1", "name=a+b&timestamp=1", false],
    ["% within a value", "", "name=a%25b&timestamp=1", "name=a%b&timestamp=1", false],
    ["an escape within an escape", "", "name=a%2541&timestamp=1", "name=a%41&timestamp=1", false],
    ["decoded twice", "", "name=a%2540b&timestamp=1", "name=a@b&timestamp=1", false],
    ["= within a name", "", "a%3Db=c&timestamp=1", "a=b=c&timestamp=1", false],
    ["= of a name alone", "", "a%3Db&timestamp=1", "a=b&timestamp=1", false],
    ["= of a name where the parts meet", "x=1", "a%3Db=c&timestamp=1", "x=1a=b=c&timestamp=1", false],
  ];
  for (const [what, query, body, signed, taken] of table) assert.equal(isTaken(query, body, signed), taken, what);
  // The signature of the text as sent is always valid.
  for (const [what, query, body] of table) assert.equal(isTaken(query, body, query + body), true, what);
});

for (const [kind, hash, pair] of [
  ["Ed25519", null, generateKeyPairSync("ed25519")],
  ["RSA 2048", "sha256", generateKeyPairSync("rsa", { modulusLength: 2048 })],
  ["RSA 4096", "sha256", generateKeyPairSync("rsa", { modulusLength: 4096 })],
] as const) {
  test(`${kind} keys may sign either text`, () => {
    const { publicKey, privateKey } = pair;
    const secrets = new Secrets((sealed) => sealed);
    const key = { ...KEY, publicKey: publicKey.export({ format: "der", type: "spki" }).toString("base64") };
    for (const [signed, taken] of [
      ["name=my+wallet&timestamp=1", true],
      ["name=my wallet&timestamp=1", true],
      ["name=my  wallet&timestamp=1", false],
    ] as const) {
      const signature = signWith(hash, Buffer.from(signed), privateKey).toString("base64");
      const request = parsed("", "name=my+wallet&timestamp=1", encodeURIComponent(signature));
      assert(request);
      const check = () => checkSigned(secrets, key, request);
      if (taken) check();
      else assert.throws(check, Refused);
    }
  });
}

class CountingKey extends HmacKey {
  messages = 0;

  override sign(message: string): Buffer {
    this.messages++;
    return super.sign(message);
  }
}

test("a second text is checked only if there is one", () => {
  const key = new CountingKey(Buffer.from(SECRET));
  const secrets = { of: () => key } as unknown as Secrets;
  const cost = (body: string, signed: string): number => {
    const request = parsed("", body, hmac(signed));
    assert(request);
    key.messages = 0;
    isAccepted(request, secrets);
    return key.messages;
  };
  assert.equal(cost("a=x%40y&timestamp=1", "a=x%40y&timestamp=1"), 1, "signed as it is sent");
  assert.equal(cost("a=xy&timestamp=1", "a=x&timestamp=1"), 1, "wrong, and nothing to decode");
  assert.equal(cost("a=x%26y&timestamp=1", "wrong"), 1, "wrong, and not to be decoded");
  assert.equal(cost("a=x%40y&timestamp=1", "wrong"), 2, "wrong either way");
});

const character = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(..."ab1@ é") },
  { weight: 2, arbitrary: fc.constantFrom(..."&=%+€25640") },
);
const pair = fc.tuple(fc.string({ unit: character, minLength: 1, maxLength: 3 }), fc.string({ unit: character }));
const parameters = fc.array(pair, { maxLength: 4 });
/** For each signed byte: sent as it is, or escaped; sometimes replaced by another one. */
const tampering = fc.record({
  escapes: fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
  plusForSpace: fc.boolean(),
  split: fc.nat({ max: 80 }),
  edits: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.tuple(fc.nat({ max: 80 }), fc.nat({ max: 2 }), character), { maxLength: 2 }) },
  ),
});

interface Tampering {
  readonly escapes: readonly boolean[];
  readonly plusForSpace: boolean;
  readonly split: number;
  readonly edits: readonly (readonly [number, number, string])[];
}

function tamperedWith(signed: string, { escapes, plusForSpace, split, edits }: Tampering): [string, string] {
  const sent = [...signed].map((byte, i) => {
    if (byte === " " && plusForSpace) return "+";
    const isEscaped = escapes[i % escapes.length] === true;
    return isEscaped ? `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}` : byte;
  });
  for (const [at, removed, put] of edits) sent.splice(at % (sent.length + 1), removed, bytes(put));
  const at = split % (sent.length + 1);
  return [sent.slice(0, at).join(""), sent.slice(at).join("")];
}

/** Names and values as another form parser reads them. */
function listOf(form: string): [string, string][] {
  return [...new URLSearchParams(Buffer.from(form, "latin1").toString("utf8"))];
}

/** The values that are used, of lists without duplicate names. */
function carriedOut(query: string, body: string): string {
  const values = new Map(listOf(body));
  for (const [name, value] of listOf(query)) values.set(name, value);
  return JSON.stringify([...values].sort());
}

test("after any change, the values that are used are those of the signed text", () => {
  const counts = { raw: 0, decoded: 0, refused: 0 };
  fc.assert(
    fc.property(parameters, fc.boolean(), tampering, (sent, encodes, tamper) => {
      const text = (value: string): string => (encodes ? encodeURIComponent(value) : value);
      const pairs = [...sent, ["timestamp", "1"] as const].map(([name, value]) => `${text(name)}=${text(value)}`);
      const signed = bytes(pairs.join("&"));
      const [query, body] = tamperedWith(signed, tamper);
      const request = parsed(query, body, hmac(signed));
      if (request === undefined || !isAccepted(request)) {
        counts.refused++;
        return;
      }
      const values = new Map(request.values);
      values.delete("signature");
      const done = JSON.stringify([...values].sort());
      counts[query + body === signed ? "raw" : "decoded"]++;
      // There is no separator between query and body, so where the query ends is not signed (Interface 5.5).
      const splits = Array.from({ length: signed.length + 1 }, (_, at) => at);
      const isSaid = splits.some((at) => carriedOut(signed.slice(0, at), signed.slice(at)) === done);
      assert(isSaid, `${query} | ${body} was taken as ${done} with the signature of ${signed}`);
    }),
    { numRuns: 20_000 },
  );
  assert(counts.raw > 200 && counts.decoded > 200 && counts.refused > 200, JSON.stringify(counts));
});
