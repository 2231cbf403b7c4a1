/** The account API: bodies, cookies, headers and links of every kind, and what must hold whatever was sent. */
import assert from "node:assert/strict";
import { ACCOUNT_ROUTES } from "@pricetime/server/parts";
import type { Exchange } from "@pricetime/testkit/venue";
import type { Dice } from "@pricetime/testkit/dice";
import { hostileJson, sentJson, spoilt } from "./json.ts";
import { Customer, PAGE, PASSWORD } from "./people.ts";
import { HOSTILE, oneIn, pick } from "./target.ts";

const AT_A_TIME = 4;
const EMAIL = "ann@fuzz.example";
const OTHER = "ben@fuzz.example";
const HEX = "0123456789abcdef".repeat(2);
const SECRET = "A".repeat(43);

/** Bodies that are sound but for a secret, by path; one of an address that is not here is made of all fields. */
const BODIES: Readonly<Record<string, object>> = {
  "/sign-up": { email: "new@fuzz.example" },
  "/invitation/check": { id: HEX, secret: SECRET },
  "/invitation/accept": { id: HEX, secret: SECRET, password: PASSWORD, name: "A" },
  "/sign-in": { email: EMAIL, password: PASSWORD },
  "/sign-out": {},
  "/password": { password: PASSWORD, newPassword: PASSWORD },
  "/totp": { password: PASSWORD },
  "/totp/confirm": { pending: "s1.x", code: "000000" },
  "/totp/remove": { password: PASSWORD, code: "000000" },
  "/password-reset": { email: EMAIL },
  "/password-reset/check": { id: HEX, secret: SECRET },
  "/password-reset/complete": { id: HEX, secret: SECRET, password: PASSWORD },
  "/password-reset/cancel": { id: HEX, secret: SECRET },
  "/lock": { account: 100, notification: 1, until: 1_800_000_000_000, secret: SECRET },
  "/keys": { label: "a", permissions: ["USER_DATA"], ipAllowList: [] },
  "/addresses": { network: "ETH", address: "0x6915f16f8791d0a1cc2bf47c13a6b2a92000504b", name: "home" },
  "/addresses/enforced": { isEnforced: true },
};
const ALL_FIELDS = Object.assign({}, ...Object.values(BODIES)) as object;
const QUERIES = ["", "month=2026-10", "month=2026-10&format=csv", "account=100", "accountId=100", "month=0000-00"];
/** A hash takes long: these are seldom asked for. */
const WITH_HASH = ["/sign-in", "/invitation/accept", "/password", "/totp", "/totp/remove", "/password-reset/complete"];

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether the route is for those alone who are signed in. */
  readonly isClosed: boolean;
  /** It needs neither session nor the page's header. */
  readonly isPublic: boolean;
  readonly isSpoilt: "page" | "cookie" | "none";
}

const inHeader = (text: string): string => text.replace(/[^ -~]/g, "?");

function request(random: Dice, cookie: string): Sent {
  let route = pick(random, ACCOUNT_ROUTES);
  if (WITH_HASH.includes(route.pattern) && !oneIn(random, 8)) route = pick(random, ACCOUNT_ROUTES);
  const named = route.pattern.replace(/:\w+/, () => encodeURIComponent(pick(random, [...HOSTILE, HEX]).toWellFormed()));
  const query = oneIn(random, 3) ? `?${pick(random, QUERIES)}` : "";
  const odd = oneIn(random, 40) ? pick(random, ["/", "//", "/%00", "/..%2f", "/__proto__"]) : "";
  const sound = BODIES[route.pattern] ?? ALL_FIELDS;
  const body = oneIn(random, 2) ? sound : oneIn(random, 6) ? hostileJson(random) : spoilt(random, sound);
  const isSpoilt = pick(random, ["page", "cookie", "none", "none", "none", "none", "none", "none"] as const);
  const headers = {
    ...(isSpoilt === "page" ? foreign(random) : PAGE),
    cookie: isSpoilt === "cookie" ? spoiltCookie(random, cookie) : cookie,
    "content-type": oneIn(random, 20) ? inHeader(pick(random, HOSTILE)) : "application/json",
    ...(oneIn(random, 10) && { "user-agent": inHeader(pick(random, HOSTILE)) }),
  };
  const isBodiless = route.method === "GET";
  return {
    ...{ method: route.method, path: `/account/v1${named}${odd}${query}`, headers },
    ...(isBodiless ? {} : { body: sentJson(random, body) }),
    ...{ isClosed: route.needs === "session", isPublic: route.needs === "anyone", isSpoilt },
  };
}

/** What a page of another site could send, or whoever leaves the header out. */
function foreign(random: Dice): Record<string, string> {
  return pick(random, [
    {},
    { "x-pricetime-page": inHeader(pick(random, HOSTILE)) },
    { ...PAGE, "sec-fetch-site": pick(random, ["cross-site", "same-site", "none", "x"]) },
    { ...PAGE, origin: pick(random, ["https://evil.example", "null", "http://127.0.0.1", "http://127.0.0.1:1"]) },
  ]);
}

/** No session by any of these: one character is another, the secret is of another length, or nothing is right. */
function spoiltCookie(random: Dice, cookie: string): string {
  const [name = "", token = ""] = cookie.split("; ")[0]?.split("=") ?? [];
  const at = random.below(Math.max(1, token.length));
  const other = token[at] === "a" ? "b" : "a";
  const [id = "", secret = ""] = token.split(".");
  const values = [
    `${token.slice(0, at)}${other}${token.slice(at + 1)}`,
    ...[`${token}a`, token.slice(0, -1), `${secret}.${id}`, `${id}.${"A".repeat(43)}`, `${id}.`, "."],
    inHeader(pick(random, HOSTILE)).replace(/[;,\s]/g, ""),
  ];
  return `${name === "" ? "__Host-pricetime-account" : name}=${pick(random, values)}`;
}

const customers = new WeakMap<Exchange, Promise<readonly Customer[]>>();

function customersOf(exchange: Exchange): Promise<readonly Customer[]> {
  const known = customers.get(exchange);
  if (known !== undefined) return known;
  const invited = Promise.all([EMAIL, OTHER].map((email) => Customer.invited(exchange, email)));
  customers.set(exchange, invited);
  return invited;
}

export async function accountConversation(exchange: Exchange, random: Dice): Promise<void> {
  const customer = pick(random, await customersOf(exchange));
  await customer.returns();
  const sent = Array.from({ length: AT_A_TIME }, () => request(random, customer.cookie));
  await Promise.all(sent.map((one) => ask(exchange, customer, one)));
}

async function ask({ rest }: Exchange, customer: Customer, sent: Sent): Promise<void> {
  const { method, path, headers, body } = sent;
  const answer = await fetch(rest + path, { method, headers, ...(body !== undefined && { body }) });
  const text = await answer.text();
  const told = `${JSON.stringify(sent)}\nanswered ${answer.status} ${text.slice(0, 500)}`;
  judge(answer, text, told);
  const isUnsound = (sent.isSpoilt === "page" && !sent.isPublic) || (sent.isSpoilt === "cookie" && sent.isClosed);
  assert.ok(!isUnsound || answer.status >= 400, `it must be refused: ${told}`);
  // What is for everybody reads no session, so it renews none.
  assert.ok(!sent.isPublic || answer.headers.getSetCookie().length === 0, `it sets a cookie: ${told}`);
  if (sent.isSpoilt === "none") customer.keep(answer.headers.getSetCookie());
}

const STATUSES: ReadonlySet<number> = new Set([200, 202, 400, 401, 403, 404, 405, 409, 413, 415, 429, 503]);

function judge(answer: Response, text: string, told: string): void {
  assert.ok(STATUSES.has(answer.status), told);
  assert.equal(answer.headers.get("access-control-allow-credentials"), null, told);
  assert.ok(!text.includes(PASSWORD), `a password is told: ${told}`);
  for (const line of answer.headers.getSetCookie()) {
    for (const wanted of ["HttpOnly", "Secure", "SameSite=Strict", "Path=/"]) {
      assert.ok(line.split("; ").includes(wanted), `a cookie is not ${wanted}: ${line}`);
    }
  }
  if (answer.status < 400) return;
  const { error, code, message, msg } = JSON.parse(text) as Record<string, unknown>;
  const isTold = /^[A-Z_]+$/.test(String(error)) && typeof message === "string" && message !== "";
  // A request that is not read as one of HTTP is refused in the words of the exchange.
  assert.ok(isTold || (typeof code === "number" && typeof msg === "string"), `an error without a word: ${told}`);
}
