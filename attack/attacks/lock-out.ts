/**
 * Outsiders guess passwords without end: customers and operators with the right password must still be able to sign in,
 * also from a new device.
 */
import { request } from "node:http";
import type { SignInWork } from "@pricetime/protocol";
import { solved } from "@pricetime/testkit/sign-in-work";
import { operate, startExchange, type Exchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { type Attack, type Campaign, Checks, type Row } from "../attack.ts";

const EMAIL = "ann@attack.example";
const OPERATOR = "ann";
const PASSWORD = "correct horse battery";
const GUESSERS = 20;
const LOOPS = 6;
const TRIES = 5;
const TRIES_BY_MARK = 19;
/** The steps of one sign-in: the first request, and one more for each challenge. */
const MOST_STEPS = 10;

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

interface SignIn {
  readonly port: number;
  readonly path: string;
  readonly body: object;
}

function post({ port, path, body }: SignIn, localAddress = "127.0.0.1"): Promise<Answer> {
  const headers = { "Content-Type": "application/json", "X-Pricetime-Page": "account" };
  return new Promise((resolve, reject) => {
    const sent = request({ port, path, localAddress, host: "127.0.0.1", method: "POST", headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      answer.on("end", () => {
        resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) as Record<string, unknown> });
      });
    });
    sent.on("error", reject).end(JSON.stringify(body));
  });
}

/** Sends guesses from each address until the signal; resolves when all have ended. */
function guess(
  signInAt: SignIn,
  addresses: readonly string[],
  { signal }: AbortController,
): { ends: Promise<unknown>; seen: Set<unknown> } {
  const seen = new Set<unknown>();
  const loop = async (address: string): Promise<void> => {
    while (!signal.aborted) {
      const answer = await post(signInAt, address).catch(() => undefined);
      seen.add(answer?.body["error"] ?? answer?.status);
    }
  };
  return { seen, ends: Promise.all(addresses.map(loop)) };
}

/** Signs in as the page does. Returns the number of steps, or the last response. */
async function signIn(signInAt: SignIn, address?: string): Promise<number | string> {
  let answer = await post(signInAt, address);
  for (let steps = 1; ; steps++) {
    if (answer.status === 200) return steps;
    const work = answer.body["work"] as SignInWork | undefined;
    if (work === undefined || steps >= MOST_STEPS) return `${answer.status} ${String(answer.body["error"])}`;
    answer = await post({ ...signInAt, body: { ...signInAt.body, work: solved(work) } }, address);
  }
}

const portOf = (url: string): number => Number(new URL(url).port);

async function customers(exchange: Exchange): Promise<Row> {
  const checks = new Checks();
  const { link } = await operate<{ link: string }>(exchange, "POST", "/v1/invitations", { email: EMAIL, name: "Ann" });
  const port = portOf(exchange.rest);
  await post({ port, path: "/account/v1/invitation/accept", body: { ...partsOf(link), password: PASSWORD } });
  const signInAt: SignIn = { port, path: "/account/v1/sign-in", body: { email: EMAIL, password: PASSWORD } };
  const over = new AbortController();
  const addresses = Array.from({ length: GUESSERS }, (_, at) => `127.0.2.${at + 1}`);
  const guesses = guess({ ...signInAt, body: { email: EMAIL, password: "not the right one" } }, addresses, over);
  const isHeldUp = async (): Promise<boolean> => (await post(signInAt, "127.0.3.250")).status === 429;
  await until("strangers have used up the free tries", isHeldUp);
  const seen: (number | string)[] = [];
  for (let i = 1; i <= TRIES; i++) seen.push(await signIn(signInAt, `127.0.3.${i}`));
  over.abort();
  await guesses.ends;
  checks.observe(`requests needed: ${seen.join(", ")}`);
  checks.expect(
    "the customer signs in every time",
    seen.every((steps) => typeof steps === "number"),
  );
  const does = `${GUESSERS} addresses guess a customer's password without pause; ${TRIES} times the customer signs in from a new address`;
  const bound = `signed in within ${MOST_STEPS} requests every time`;
  return checks.row("lock-out", does, bound);
}

async function operators(exchange: Exchange): Promise<Row> {
  const checks = new Checks();
  await operate(exchange, "POST", "/v1/operators", { name: OPERATOR, email: EMAIL, role: "support" });
  const { link } = await operate<{ link: string }>(exchange, "POST", `/v1/operators/${OPERATOR}/invitation`);
  const port = portOf(exchange.admin);
  const accepted = await post({ port, path: "/v1/accept-invitation", body: { ...partsOf(link), password: PASSWORD } });
  const { mark } = accepted.body;
  const signInAt: SignIn = { port, path: "/v1/sign-in", body: { name: OPERATOR, password: PASSWORD } };
  const over = new AbortController();
  const loops = Array.from({ length: LOOPS }, () => "127.0.0.1");
  const guesses = guess({ ...signInAt, body: { name: OPERATOR, password: "not the right one" } }, loops, over);
  await until("guesses make everybody wait", () => guesses.seen.has("TOO_MANY_TRIES"));
  let byMark = 0;
  for (let i = 0; i < TRIES_BY_MARK; i++) {
    if ((await post({ ...signInAt, body: { ...signInAt.body, mark } })).status === 200) byMark++;
  }
  const first = await signIn(signInAt);
  over.abort();
  await guesses.ends;
  checks.observe(`${byMark} of ${TRIES_BY_MARK} with a mark; without one, requests needed: ${first}`);
  checks.expect("an operator with a mark signs in every time", byMark === TRIES_BY_MARK);
  checks.expect("an operator without a mark signs in", typeof first === "number");
  const does = `${LOOPS} clients sign in without pause at the admin port, where all share one address`;
  const bound = `signed in with a mark every time; without one within ${MOST_STEPS} requests`;
  return checks.row("lock-out", does, bound);
}

function partsOf(link: string): { readonly id: string; readonly secret: string } {
  const query = new URLSearchParams(link.slice(link.indexOf("?") + 1));
  return { id: query.get("id") ?? "", secret: query.get("secret") ?? "" };
}

async function run({ scope }: Campaign): Promise<Row[]> {
  const exchange = await startExchange({ dataFolder: scope.folder(), args: ["--bots", "off"] });
  scope.defer(() => exchange.kill());
  return [await customers(exchange), await operators(exchange)];
}

export const lockOut: Attack = { name: "lock-out", run };
